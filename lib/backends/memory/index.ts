export { memory, type MemoryOptions } from './memory.js';
export { MEMORY_CAPABILITIES, type MemoryClock } from './memory-backend.js';
