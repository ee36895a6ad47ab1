/** The backends of the application by connection, as its options gave them. */
export const CONNECTION_FACTORIES = Symbol('kinetis-queue:connection-factories');

/** The provider that `useClass` makes. */
export const CONNECTIONS_CLASS = Symbol('kinetis-queue:connections-class');

/** What the registration of the module says, beside its backends. */
export const QUEUE_SETTINGS = Symbol('kinetis-queue:settings');
