import { Handle, Job } from '@kinetis/nestjs-queue';
import { trace } from '@opentelemetry/api';

@Job({ queue: 'invoices' })
export class SendInvoice {
  constructor(
    readonly number: number,
    readonly plan: 'free' | 'paid',
  ) {}

  @Handle()
  async handle(): Promise<void> {
    // The span of this delivery is active: what the job calls is traced beneath it, and it takes attributes of your own.
    trace.getActiveSpan()?.setAttribute('app.plan', this.plan);
  }
}
