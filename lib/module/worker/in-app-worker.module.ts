import { Module } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { InAppWorker } from './in-app-worker.js';

/** Closer than the root module, whose distance is 1. */
const BEFORE_ALL_OTHERS = -1;

/**
 * Holds the worker inside the application. Nest runs `onApplicationBootstrap` from the farthest module to the root and
 * `onModuleDestroy` from the root to the farthest. This module claims to be nearer than the root: so its worker starts
 * when every provider is ready, and has drained before any provider is destroyed.
 */
@Module({ providers: [InAppWorker] })
export class InAppWorkerModule {
  constructor(moduleRef: ModuleRef) {
    const modules = moduleRef.get(ModulesContainer, { strict: false });
    for (const each of modules.values()) {
      if (each.metatype === InAppWorkerModule) each.distance = BEFORE_ALL_OTHERS;
    }
  }
}
