// What every application uses.
export { Handle, Job, JobDelivery, Sensitive } from './jobs/index.js';
export { provideJobs } from './module/provide-jobs.js';
export { KinetisQueueModule } from './module/kinetis-queue.module.js';
export { InjectQueue } from './module/inject-queue.decorator.js';
export { runWorker } from './module/worker/run-worker.js';
export { Queue } from './queue/index.js';
export { memory } from './backends/memory/index.js';
export { sync } from './backends/sync/index.js';

// For the day it is needed.
export { Arg, OnJobFailed } from './jobs/index.js';
export { ClearableQueue, QueueAdmin, QueueConsumer } from './queue/index.js';
export { getQueueToken } from './module/queue-token.js';
export {
  JobDeferred,
  JobFailedPermanently,
  JobMalformed,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobStarted,
  JobSucceeded,
  OnJobEvent,
} from './events/index.js';
export * from './contract/exceptions/index.js';

// Types of options and answers.
export type {
  ArgCodec,
  ArgDeclaration,
  Backoff,
  ExponentialBackoff,
  JobClass,
  JobInstance,
  JobMiddleware,
  JobOptions,
  OnJobFailedOptions,
  StandardSchema,
} from './jobs/index.js';
export type {
  BrowsedJob,
  BrowseOptions,
  CaptureMetadata,
  DelayOption,
  FailedJob,
  FailedJobs,
  FailedJobsFilter,
  FailedJobsListOptions,
  JobBrowser,
  JobEntry,
  JobView,
  PushEntry,
  PushOptions,
  PushResult,
  ReserveAnswer,
} from './queue/index.js';
export type { MemoryClock, MemoryOptions } from './backends/memory/index.js';
export type { AnyJobEvent, JobEvent, JobEventClass } from './events/index.js';
export type {
  QueueConnections,
  QueueConnectionsFactory,
  QueueModuleAsyncOptions,
  QueueModuleOptions,
} from './module/queue-module-options.js';
export type { QueueFacade, QueueToken } from './module/queue-token.js';
export type { InAppWorkerOptions } from './module/worker/in-app-worker-options.js';
export type { RunWorkerOptions } from './module/worker/run-worker-options.js';
export type { WorkerExitCode } from './worker/index.js';

// What a backend, or telemetry, of one's own is written against.
export {
  DEFERRED_RANK,
  ENVELOPE_VERSION,
  failedJobsRetention,
  MAX_FAILED_SCAN,
  newHeader,
  QueuedJob,
} from './contract/index.js';
export type {
  AckSettlement,
  BackendContext,
  BackendFactory,
  BrowsePage,
  BrowseQuery,
  BrowsingBackend,
  Capabilities,
  ChainStep,
  ClearingBackend,
  ConsumeOptions,
  ConsumingBackend,
  Consumption,
  DiagnosingBackend,
  DeliveryOutcome,
  ExtendSettlement,
  FailedJobsBackend,
  FailedJobsOption,
  FailedJobsPage,
  FailedJobsQuery,
  FailedJobsRetention,
  FailedJobsSupport,
  Failure,
  FailureCause,
  FailSettlement,
  Finding,
  FindingLevel,
  HeaderChanges,
  JobBody,
  JobHeader,
  JobSpan,
  JobState,
  ListingBackend,
  MigratingBackend,
  NewJob,
  ObservedConnection,
  PausingBackend,
  PrioritySupport,
  PushDescription,
  PushSpan,
  QueueBackend,
  QueueCounts,
  QueuedJobFields,
  QueueTelemetry,
  RawHeader,
  Receipt,
  ReservedItem,
  RetryAllResult,
  RetryOutcome,
  ReturnSettlement,
  SchemaState,
  SettleOperation,
  SettleOutcome,
  Settlement,
  StopObserving,
  StoredFailedJob,
  StoredJob,
  StoreOptions,
  StoreOutcome,
  WaitOptions,
  WireValue,
} from './contract/index.js';
