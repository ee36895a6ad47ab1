import { type BackendFactory, InjectQueue, KinetisQueueModule, memory, Queue } from '@kinetis/nestjs-queue';

class Config {
  readonly url: string = 'x';
}

class Other {
  readonly port: number = 1;
}

const one = () => ({ default: memory() });
const two = () => ({ default: memory(), ledger: memory() });
const ledgerOnly = () => ({ ledger: memory() });
const later = () => Promise.resolve(two());

class TwoFactory {
  createQueueConnections(): { default: BackendFactory; ledger: BackendFactory } {
    return two();
  }
}

class OneFactory {
  createQueueConnections(): { default: BackendFactory } {
    return one();
  }
}

const { forRoot, forRootAsync } = KinetisQueueModule;

export class Consumer {
  constructor(
    readonly queue: Queue,
    @InjectQueue('ledger') readonly ledger: Queue,
  ) {}
}

forRoot();
forRoot({
  connections: { default: memory(), ledger: memory() },
  worker: { concurrency: 2 },
  isGlobal: false,
});
forRootAsync({ connections: ['default'], useFactory: one });
forRootAsync({ connections: ['default', 'ledger'], useFactory: two });
forRootAsync({ connections: ['default', 'ledger'], useFactory: later });
forRootAsync({ connections: ['default', 'ledger'], useFactory: async () => two() });
forRootAsync({ connections: ['default', 'ledger'], useClass: TwoFactory });
forRootAsync({ connections: ['default', 'ledger'], useExisting: TwoFactory });

// The factory's parameters follow inject, written or inferred.
forRootAsync({
  connections: ['default', 'ledger'],
  inject: [Config, Other, 'TOKEN'],
  useFactory: (config: Config, other: Other, token: string) => {
    void [config.url.length, other.port.toFixed(), token.length];
    return two();
  },
});
forRootAsync({
  connections: ['default'],
  inject: [Config, { token: Other, optional: true }],
  useFactory: (config, other) => {
    void [config.url.length, other?.port.toFixed()];
    // @ts-expect-error Config has no such property
    void config.port;
    return one();
  },
});

// @ts-expect-error useFactory does not return "ledger"
forRootAsync({ connections: ['default', 'ledger'], useFactory: one });
// @ts-expect-error an asynchronous factory does not return "ledger"
forRootAsync({ connections: ['default', 'ledger'], useFactory: async () => one() });
// @ts-expect-error "ledger" is not listed
forRootAsync({ connections: ['default'], useFactory: two });
// @ts-expect-error "default" is not listed
forRootAsync({ connections: ['ledger'], useFactory: ledgerOnly });
// @ts-expect-error "default" is not returned
forRootAsync({ connections: ['default', 'ledger'], useFactory: ledgerOnly });
// @ts-expect-error a connection's name is no backend
forRootAsync({ connections: ['default'], useFactory: () => ({ default: 'memory' }) });
// @ts-expect-error the parameter is a Config
forRootAsync({ connections: ['default'], inject: [Config], useFactory: (_: Other) => one() });
// @ts-expect-error nothing is injected
forRootAsync({ connections: ['default'], useFactory: (_: Config) => one() });
// @ts-expect-error two parameters, one injected
forRootAsync({ connections: ['default'], inject: [Config], useFactory: (_a: Config, _b: Other) => one() });
// @ts-expect-error the class does not make "ledger"
forRootAsync({ connections: ['default', 'ledger'], useClass: OneFactory });
// @ts-expect-error the class has no createQueueConnections()
forRootAsync({ connections: ['default'], useClass: Config });
// @ts-expect-error the provider has no createQueueConnections()
forRootAsync({ connections: ['default'], useExisting: Config });
// @ts-expect-error either a factory or a class
forRootAsync({ connections: ['default'], useFactory: one, useClass: OneFactory });
// @ts-expect-error nothing makes the connections
forRootAsync({ connections: ['default'] });
// @ts-expect-error "default" is missing
forRoot({ connections: { ledger: memory() } });
// @ts-expect-error a connection's name is no backend
forRoot({ connections: { default: 'memory' } });
// @ts-expect-error no option is called conections
forRoot({ conections: { default: memory() } });
// @ts-expect-error no option is called threads
forRoot({ connections: { default: memory() }, worker: { threads: 2 } });
