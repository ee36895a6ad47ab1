import { type INestApplicationContext, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { onTestFinished } from 'vitest';
import { type BackendFactory, KinetisQueueModule, type QueueModuleOptions } from '../../../lib/index.js';

/** An application with one connection, closed when the test ends. */
export async function startApplication(
  backend: BackendFactory,
  options: Omit<QueueModuleOptions, 'connections'>,
  providers: readonly Provider[],
): Promise<INestApplicationContext> {
  @Module({
    imports: [KinetisQueueModule.forRoot({ connections: { default: backend }, ...options })],
    providers: [...providers],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  onTestFinished(() => app.close());
  return app;
}
