import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { KinetisQueueModule, memory } from '@kinetis/nestjs-queue';
import { sql } from '@kinetis/nestjs-queue/sql';
import { MailModule } from './mail.module.js';

@Module({
  imports: [
    MailModule,
    ConfigModule.forRoot({ isGlobal: true }),
    KinetisQueueModule.forRootAsync({
      connections: ['default', 'ledger'], // each becomes injectable
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        default: sql({ connection: { driver: 'sqlite', file: config.getOrThrow<string>('QUEUE_FILE') } }),
        ledger: memory(),
      }),
    }),
  ],
})
export class AppModule {}
