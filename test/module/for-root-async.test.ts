import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, test } from 'vitest';
import {
  type BackendFactory,
  getQueueToken,
  KinetisQueueModule,
  memory,
  Queue,
  QueueConfigurationException,
  type QueueConnectionsFactory,
} from '../../lib/index.js';

@Injectable()
class Settings {
  readonly leaseSeconds = 7;
}

@Module({ providers: [Settings, { provide: 'REGION', useValue: 'eu' }], exports: [Settings, 'REGION'] })
class SettingsModule {}

@Injectable()
class Connections implements QueueConnectionsFactory<'default' | 'ledger'> {
  constructor(@Inject(Settings) readonly settings: Settings) {}

  createQueueConnections() {
    return { default: memory({ leaseSeconds: this.settings.leaseSeconds }), ledger: memory() };
  }
}

@Module({ imports: [SettingsModule], providers: [Connections], exports: [Connections] })
class ConnectionsModule {}

async function namesOf(module: object): Promise<string[]> {
  const app = await Test.createTestingModule({ imports: [module as never] }).compile();
  app.useLogger(false);
  const names = [app.get(Queue).name, app.get<Queue>(getQueueToken('ledger')).name];
  await app.close();
  return names;
}

describe('forRootAsync', () => {
  test('useFactory gets what inject lists, typed', async () => {
    const came: unknown[] = [];
    const module = KinetisQueueModule.forRootAsync({
      imports: [SettingsModule],
      connections: ['default', 'ledger'],
      inject: [Settings, 'REGION', { token: 'NOTHING', optional: true }],
      useFactory: async (settings, region: string, nothing?: string) => {
        came.push(settings.leaseSeconds, region, nothing);
        return { default: memory({ leaseSeconds: settings.leaseSeconds }), ledger: memory() };
      },
    });
    expect(await namesOf(module)).toEqual(['default', 'ledger']);
    expect(came).toEqual([7, 'eu', undefined]);
  });

  test('useFactory without inject takes no parameters', async () => {
    const module = KinetisQueueModule.forRootAsync({
      connections: ['default', 'ledger'],
      useFactory: () => ({ default: memory(), ledger: memory() }),
    });
    expect(await namesOf(module)).toEqual(['default', 'ledger']);
  });

  test('useClass is made by the container and asked once', async () => {
    const module = KinetisQueueModule.forRootAsync({
      imports: [SettingsModule],
      connections: ['default', 'ledger'],
      useClass: Connections,
    });
    expect(await namesOf(module)).toEqual(['default', 'ledger']);
  });

  test('useExisting asks a provider that another module has', async () => {
    const module = KinetisQueueModule.forRootAsync({
      imports: [ConnectionsModule],
      connections: ['default', 'ledger'],
      useExisting: Connections,
    });
    expect(await namesOf(module)).toEqual(['default', 'ledger']);
  });

  const loose = (connections: string[], given: Record<string, BackendFactory>) =>
    namesOf(
      KinetisQueueModule.forRootAsync({
        connections: connections as ['default', ...string[]],
        useFactory: () => given as { default: BackendFactory },
      }),
    );

  test.each([
    ['a missing connection', ['default', 'ledger'], { default: memory() }, /Missing: "ledger"/],
    [
      'an extra connection',
      ['default'],
      { default: memory(), ledger: memory() },
      /Not listed in `connections`: "ledger"/,
    ],
    ['no default', ['ledger'], { ledger: memory() }, /expected "default" among them/],
    ['a repeated name', ['default', 'a', 'a'], { default: memory(), a: memory() }, /came "a" twice/],
  ])('%s is refused at boot', async (_, connections, given, message) => {
    const booting = loose(connections, given as Record<string, BackendFactory>);
    await expect(booting).rejects.toThrow(QueueConfigurationException);
    await expect(booting).rejects.toThrow(message);
  });

  test('what a boot would refuse does not compile', () => {
    // Never called: the compiler reads it, and an error that it does not find is an error.
    const refused = () => {
      KinetisQueueModule.forRootAsync({
        connections: ['default', 'ledger'],
        // @ts-expect-error ledger is missing
        useFactory: () => ({ default: memory() }),
      });
      KinetisQueueModule.forRootAsync({
        connections: ['default'],
        // @ts-expect-error ledger is one too many
        useFactory: () => ({ default: memory(), ledger: memory() }),
      });
      KinetisQueueModule.forRootAsync({
        // @ts-expect-error default is missing
        connections: ['ledger'],
        useFactory: () => ({ ledger: memory() }),
      });
      KinetisQueueModule.forRootAsync({
        connections: ['default'],
        inject: [Settings],
        // @ts-expect-error the factory gets Settings
        useFactory: (settings: Connections) => ({
          default: memory({ leaseSeconds: settings.settings.leaseSeconds }),
        }),
      });
      KinetisQueueModule.forRootAsync({
        connections: ['default', 'other'],
        // @ts-expect-error the class does not make "other"
        useClass: Connections,
      });
      // @ts-expect-error default is missing
      KinetisQueueModule.forRoot({ connections: { ledger: memory() } });
    };
    expect(refused).toBeTypeOf('function');
  });
});
