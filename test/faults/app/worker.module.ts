import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { KinetisQueueModule, provideJobs } from '@kinetis/nestjs-queue';
import { LedgerWriter } from '../ledger/ledger-writer.js';
import { FaultActs } from './fault-acts.js';
import { faultConnection, faultLedger } from './fault-environment.js';
import { FaultJob } from './fault.job.js';
import { withFailingCalls } from './failing-calls.js';
import { watchLoopLag } from './loop-lag.js';
import { OutcomesListener } from './outcomes.listener.js';

const ledger = faultLedger();

@Injectable()
class Up implements OnApplicationBootstrap {
  onApplicationBootstrap(): void {
    watchLoopLag(ledger);
    ledger.write({ kind: 'up', of: ledger.name });
  }
}

@Module({
  providers: [
    { provide: LedgerWriter, useValue: ledger },
    FaultActs,
    OutcomesListener,
    Up,
    ...provideJobs(FaultJob),
  ],
})
class FaultModule {}

@Module({
  imports: [
    FaultModule,
    KinetisQueueModule.forRoot({ connections: { default: withFailingCalls(faultConnection(), ledger) } }),
  ],
})
export class WorkerModule {}
