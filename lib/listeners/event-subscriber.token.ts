/** The provider that subscribes the listeners; known by its token where the emitter's package must not be imported. */
export const EVENT_SUBSCRIBER = Symbol('kinetis-queue:event-subscriber');
