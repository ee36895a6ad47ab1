import type { Backoff } from '@kinetis/nestjs-queue';
import { Busy } from './partner.js';

export const always: Backoff = 30;

export const byAttempt: Backoff = [10, 60, 300]; // and 300 after every further attempt

export const growing: Backoff = { base: 5, factor: 2, max: 600, jitter: 0.2 }; // 5, 10, 20 … less up to a fifth

export const asked: Backoff = (attempt, error) => (error instanceof Busy ? 60 : 5 * attempt);
