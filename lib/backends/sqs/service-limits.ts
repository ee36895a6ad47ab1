/**
 * Limits of Amazon SQS, from its developer guide ("Amazon SQS message quotas") and API reference.
 */

/** Entries of one batch, and messages of one receive. */
export const BATCH_ENTRIES = 10;
/** A message with its attributes, and all messages of a batch together. It was 262,144 until August 2025. */
export const BATCH_BYTES = 1_048_576;
export const MAX_PUSH_DELAY_SECONDS = 900;
/** 12 hours from the receive, however often the visibility is changed. */
export const MAX_VISIBILITY_SECONDS = 43_200;
export const MAX_ATTRIBUTES = 10;
export const MAX_NAME_LENGTH = 80;
