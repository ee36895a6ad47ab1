import type { BackendFactory } from '@kinetis/nestjs-queue';
import { memory, MEMORY_CAPABILITIES } from '../../../lib/backends/memory/index.js';

/** Stands for the backend that a reader of docs/writing-a-backend.md has written. */
export const MY_CAPABILITIES = MEMORY_CAPABILITIES;

export function mine(options: { readonly leaseSeconds: number }): BackendFactory {
  return memory(options);
}
