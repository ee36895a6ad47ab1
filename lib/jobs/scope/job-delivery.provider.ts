import { type FactoryProvider, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { JobDelivery } from '../job-delivery.js';

/** Makes `JobDelivery` injectable into request-scoped providers. The queue's module provides and exports it. */
export const jobDeliveryProvider: FactoryProvider = {
  provide: JobDelivery,
  scope: Scope.REQUEST,
  inject: [REQUEST],
  useFactory: (delivery: unknown) => delivery,
};
