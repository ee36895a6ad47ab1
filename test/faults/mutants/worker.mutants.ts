import type { SourceMutants, SourcePatch } from './mutant.js';

function code(name: string, find: string, replace: string): SourcePatch {
  return { file: `lib/worker/${name}.ts`, find, replace };
}

function caughtBy(file: string, ...tests: [string, ...string[]]): SourceMutants[string]['caughtBy'] {
  return { file: `test/worker/${file}.test.ts`, tests };
}

export const workerMutants: SourceMutants = {
  'a worker acks before it runs': {
    patches: [
      code(
        'delivery-runner',
        '    const openFailure = this.#open(delivery, course);\n',
        '    const openFailure = this.#open(delivery, course);\n    await this.#sender.send(delivery.job, ACK);\n',
      ),
    ],
    caughtBy: caughtBy(
      'one-transition',
      'the order of a delivery is scope, telemetry, handler, settlement, report, disposal',
    ),
    judged: { cell: 'process/worker-killed', target: 'redis', seed: 1, rules: ['lost'] },
  },
  'a worker settles twice': {
    patches: [
      code(
        'settlement-sender',
        '        await this.#once(job, transition, secrets, followUps);\n        return APPLIED;',
        '        await this.#once(job, transition, secrets, followUps);\n        await this.#once(job, transition, secrets, followUps);\n        return APPLIED;',
      ),
    ],
    caughtBy: caughtBy(
      'one-transition',
      'a job that returns is acked, told as succeeded, and its scope disposed after that',
    ),
  },
  'a worker repeats a settlement whose answer was lost': {
    patches: [
      code(
        'settlement-sender',
        'if (!(error instanceof ServerRefused) || repeats === MAX_REPEATS) {',
        'if (repeats === MAX_REPEATS) {',
      ),
    ],
    caughtBy: caughtBy('settlement', "a 'release' without an answer is told as unknown and sent once only"),
  },
  'a worker takes a settlement without an answer for applied': {
    patches: [code('settlement-sender', "return { status: 'unknown', failure: error };", 'return APPLIED;')],
    caughtBy: caughtBy('settlement', "a 'release' without an answer is told as unknown and sent once only"),
  },
  'a worker tells a stale settlement as a success': {
    patches: [code('settlement-sender', "return { status: 'stale', stale: error };", 'return APPLIED;')],
    caughtBy: caughtBy('settlement', "a stale 'release' is only told as lost, and the worker goes on"),
  },
  'a worker spends an attempt on what it gives back': {
    patches: [
      code(
        'settlement-sender',
        "      case 'give-back':\n        return this.#settler.giveBack(job);",
        "      case 'give-back':\n        return this.#settler.release(job);",
      ),
    ],
    caughtBy: caughtBy(
      'stop',
      'a forced stop aborts the signal, gives the job back with its attempt unspent, and ends with 1',
    ),
  },
  'a worker does not wait for what runs when it stops': {
    patches: [
      code(
        'queue-worker',
        '    await this.#running.idle();\n    return this.#defect ?? result;',
        '    return this.#defect ?? result;',
      ),
    ],
    caughtBy: caughtBy('stop', 'a stop does not end the run before what runs has ended'),
  },
  'a worker loses what a reserve brings after a stop': {
    patches: [
      code(
        'queue-worker',
        '      take: (answer, reservedAt) => {\n',
        '      take: (answer, reservedAt) => {\n        if (this.stopping) return;\n',
      ),
    ],
    caughtBy: caughtBy('stop', 'what a reserve in flight brings after a stop still runs'),
  },
  'a worker takes one more job on after it was told to stop': {
    patches: [
      code(
        'sweeps',
        'await this.#slot();\n      return false;',
        'await this.#slot();\n      return this.turn();',
      ),
      code(
        'sweeps',
        'timeoutMs: limits.lookMs, signal }',
        'timeoutMs: limits.lookMs, signal: new AbortController().signal }',
      ),
    ],
    caughtBy: caughtBy('stop', 'a stop lets what runs finish and settle, and takes nothing new'),
  },
  'a worker renews a lease after the ack': {
    patches: [
      code('lease', '    this.#over = true;\n    return this.#sending;', '    return this.#sending;'),
    ],
    caughtBy: caughtBy(
      'timeouts',
      'the lease is renewed while a handler has its grace, and not after the settlement',
    ),
  },
  'a worker settles while a renewal is under way': {
    patches: [code('delivery-runner', '    if (renewal !== null) await renewal;\n', '')],
    caughtBy: caughtBy('lease-renewal', 'no renewal is under way when the settlement is sent'),
  },
  'a worker renews no lease': {
    patches: [
      code('lease', 'if (renews && this.#sending === null && now >= this.#renewAt) this.#renew();', ''),
    ],
    caughtBy: caughtBy(
      'lease-renewal',
      'a rival finds nothing while the lease is renewed, and the job once it is not',
    ),
  },
  'a worker does not tell a handler that its lease is lost': {
    patches: [code('delivery-runner', '        delivery.abort(reason);\n', '')],
    caughtBy: caughtBy(
      'lease-renewal',
      'a renewal that is answered stale aborts the signal at once; the outcome still goes to the backend',
    ),
  },
  'a worker counts a renewal from its answer': {
    patches: [
      code(
        'lease',
        '      this.#endsAt = endsAt;\n',
        '      this.#endsAt = performance.now() + seconds * 1_000;\n',
      ),
    ],
    caughtBy: caughtBy(
      'lease-renewal',
      'an answer that comes late moves the end of the lease only as far as its renewal was sent',
    ),
  },
  'a worker ends when its server is lost': {
    patches: [
      code(
        'intake',
        'const again = performance.now() < patience && (await outage.failed(error, signal));',
        'const again = false;',
      ),
    ],
    caughtBy: caughtBy(
      'lost-server',
      'a server that is lost while the worker looks for work is waited for, and the worker goes on',
    ),
  },
  'a worker drops what was sent to it when its consumer is lost': {
    patches: [
      code(
        'consumer',
        '    this.#begin();\n    if (this.#failure !== null) await this.#failed(this.#failure);',
        '    if (this.#failure !== null) this.#arrived = [];\n    if (this.#failure !== null) await this.#failed(this.#failure);',
      ),
    ],
    caughtBy: caughtBy(
      'consumer-lost',
      'a consumer that its server cancels leaves its deliveries: they are settled, and one waiting is run',
    ),
  },
  'a worker runs what was lost before it began': {
    patches: [
      code(
        'delivery-runner',
        '    if (delivery.job.lost?.aborted === true) return this.#lostBeforeItBegan(delivery);\n',
        '',
      ),
    ],
    caughtBy: caughtBy(
      'lost-channel',
      'a delivery that was lost before it began is not run, and is told as lost',
    ),
  },
  'a worker runs more than it has slots for': {
    patches: [
      code(
        'consumer',
        'return running.size < options.concurrency;',
        'return running.size <= options.concurrency;',
      ),
    ],
    caughtBy: caughtBy(
      'consumer-slots',
      'an abandoned handler keeps its slot: what the server sends beyond that waits, and runs when one is free',
    ),
  },
  'a worker runs a job that crashes it for ever': {
    patches: [
      code(
        'crash-limit',
        '  if (job.attempts <= most) return null;\n',
        '  if (job.attempts <= most || most > 0) return null;\n',
      ),
    ],
    caughtBy: caughtBy('crash-allowance', 'a job whose leases ran out in worker after worker is given up on'),
  },
  'a worker retries a job without end': {
    patches: [
      code('verdict', 'if (job.attempts >= delivery.maxAttempts) return', 'if (job.attempts < 0) return'),
    ],
    caughtBy: caughtBy(
      'one-transition',
      'a job that throws below its cap is released, and at its cap it fails as exhausted',
    ),
  },
  'a worker stores the next step of a chain after a failure': {
    patches: [
      code(
        'settlement-sender',
        'return this.#settler.fail(job, transition.error, transition.cause, secrets);',
        'return this.#settler.ack(job);',
      ),
    ],
    caughtBy: caughtBy('chains', 'nothing follows a final failure, until the job is retried and succeeds'),
  },
};
