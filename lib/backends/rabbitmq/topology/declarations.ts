/** Arguments of a declaration, by the names that the broker has for them. */
export interface QueueArguments {
  readonly [argument: `x-${string}`]: string | number;
}

export interface QueueDeclaration {
  readonly kind: 'queue';
  readonly name: string;
  readonly durable: true;
  readonly arguments: QueueArguments;
}

export interface ExchangeDeclaration {
  readonly kind: 'exchange';
  readonly name: string;
  readonly type: 'topic';
  readonly durable: true;
}

/** Messages of the exchange whose routing key matches the pattern go to the queue or exchange `to`. */
export interface BindingDeclaration {
  readonly kind: 'binding';
  readonly exchange: string;
  readonly pattern: string;
  readonly to: { readonly kind: 'queue' | 'exchange'; readonly name: string };
}

export type Declaration = QueueDeclaration | ExchangeDeclaration | BindingDeclaration;

/** What is to be declared, in an order in which all that a step names is there already. */
export type Topology = readonly Declaration[];

export function durableQueue(name: string, args: QueueArguments): QueueDeclaration {
  return { kind: 'queue', name, durable: true, arguments: args };
}

export function topicExchange(name: string): ExchangeDeclaration {
  return { kind: 'exchange', name, type: 'topic', durable: true };
}

export function binding(exchange: string, pattern: string, to: BindingDeclaration['to']): BindingDeclaration {
  return { kind: 'binding', exchange, pattern, to: { kind: to.kind, name: to.name } };
}
