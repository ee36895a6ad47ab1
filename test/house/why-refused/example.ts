import { Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';

/** Does what is refused. What the page shows of it stands between `// shown: <id>` and `// end`. */
export type Example = () => unknown;

export type Examples = Readonly<Record<string, Example>>;

/** Boots an application, lets it be used, and closes it. */
export async function boot(
  metadata: ModuleMetadata,
  use: (app: INestApplicationContext) => unknown = () => undefined,
): Promise<void> {
  class AppModule {}
  Module(metadata)(AppModule);
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  try {
    await use(app);
  } finally {
    await app.close();
  }
}
