import { Module } from '@nestjs/common';
import { KinetisQueueModule, memory, provideJobs } from '@kinetis/nestjs-queue';
import { Greet, Greeter } from './greet.job.js';

@Module({
  imports: [KinetisQueueModule.forRoot({ connections: { default: memory() }, worker: {} })],
  providers: [Greeter, ...provideJobs(Greet)],
})
export class AppModule {}
