export * from './discover-jobs.js';
export * from './durability-warnings.js';
export * from './handler-plan.js';
export * from './job-delivery.provider.js';
export * from './job-listing.js';
export * from './nest-delivery-scopes.js';
