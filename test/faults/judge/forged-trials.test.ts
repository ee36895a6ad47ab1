import { describe, expect, it } from 'vitest';
import { FENCED_LEASES } from '../targets/delivery-rules.js';
import { twoDone, WrittenTrial } from './written-trial.js';

const ON_A_CHANNEL = {
  ...FENCED_LEASES,
  fenced: false,
  leases: false,
  silenceSeconds: 2,
  answersAcks: false,
};
const NOTHING_LEFT = { ready: 0, delayed: 0, reserved: 0, failed: 0, failedIds: [] };

describe('the judge rejects, of P1,', () => {
  it('a job that was accepted and never ran', () => {
    expect(twoDone().broken()).toEqual(['lost']);
  });

  it('a job that began, and whose worker died before its effect', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .fault('killed', 'worker-1')
      .exit('worker-1', null, 'SIGKILL');
    expect(trial.broken()).toEqual(['lost']);
  });

  it('a job whose only settlement was stale', () => {
    const trial = twoDone().start('worker-1', 0).fault('stopped', 'worker-1').pass(2.1).healed();
    expect(trial.end('worker-1', 0).settle('worker-1', 0, { kind: 'settle-stale' }).broken()).toEqual([
      'lost',
    ]);
  });

  it('a job that was released and never came again', () => {
    const trial = twoDone().start('worker-1', 0).threw('worker-1', 0);
    expect(trial.settle('worker-1', 0, { operation: 'release' }).broken()).toEqual(['lost']);
  });

  it.each(['ready', 'delayed', 'reserved'])('jobs that are still %s after draining', (state) => {
    const trial = twoDone({ leftovers: { ...NOTHING_LEFT, [state]: 1 } }).run('worker-1', 0);
    expect(trial.broken()).toEqual(['left-behind']);
  });

  it('a trial after which the backend could not be asked', () => {
    expect(twoDone({ leftovers: null }).run('worker-1', 0).broken()).toEqual(['not-drained']);
  });
});

describe('the judge rejects, of P2,', () => {
  it('a job that nobody pushed', () => {
    expect(twoDone().run('worker-1', 0).run('worker-1', 7).broken()).toEqual(['unexpected']);
  });

  it('a refused push that was stored all the same', () => {
    const trial = new WrittenTrial({ jobs: 1 }).write('pusher', { kind: 'push-try', job: 0 });
    trial.write('pusher', { kind: 'push-refused', job: 0 }).push(0).run('worker-1', 0);
    expect(trial.run('worker-2', 0, 1, 'id-of-the-refused').broken()).toEqual(['unexpected']);
  });

  it('two copies of a push of which one was answered, and no other was tried', () => {
    const trial = twoDone().run('worker-1', 0).run('worker-2', 0, 1, 'another-id');
    expect(trial.broken()).toEqual(['unexpected']);
  });
});

describe('the judge rejects, of P3,', () => {
  it('a delivery after an answered ack', () => {
    expect(twoDone().run('worker-1', 0).run('worker-2', 0, 2).broken()).toContain(
      'delivered-after-settlement',
    );
  });

  it('a delivery after an answered ack whose worker was killed later', () => {
    const trial = twoDone().run('worker-1', 0).fault('killed', 'worker-1').exit('worker-1', null, 'SIGKILL');
    expect(trial.pass(2).run('worker-2', 0, 2).broken()).toContain('delivered-after-settlement');
  });

  it('a delivery after an unanswered ack whose connection was lost much later', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).run('worker-1', 0).pass(5).fault('cut', 'workers');
    expect(trial.run('worker-2', 0).broken()).toEqual(['delivered-after-settlement']);
  });

  it('a delivery after an unanswered ack of a worker that was frozen, and back in touch, before', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).fault('stopped', 'worker-1').pass(2.6).healed();
    expect(trial.pass(5).run('worker-1', 0).run('worker-2', 0).broken()).toEqual([
      'delivered-after-settlement',
    ]);
  });

  it('a delivery after an unanswered ack of a worker that was frozen when the ack had long left it', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).run('worker-1', 0).pass(1).fault('stopped', 'worker-1');
    expect(trial.pass(2.6).run('worker-2', 0).healed().broken()).toEqual(['delivered-after-settlement']);
  });

  it('a delivery after a job was given up on', () => {
    const leftovers = { ...NOTHING_LEFT, failed: 1, failedIds: ['id-0'] };
    const trial = twoDone({ leftovers }).start('worker-1', 0).threw('worker-1', 0);
    trial.settle('worker-1', 0, { operation: 'fail' });
    expect(trial.run('worker-2', 0, 2).broken()).toContain('delivered-after-settlement');
  });
});

describe('the judge rejects, of P4,', () => {
  it('a job that was given back, and had been done elsewhere by then', () => {
    const trial = twoDone().run('worker-2', 0).pass(0.1).settle('worker-1', 0, { operation: 'defer' });
    expect(trial.broken()).not.toEqual([]);
  });

  it('a third copy of a job whose worker was killed while it went back', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).start('worker-1', 0).threw('worker-1', 0);
    trial.fault('killed', 'worker-1').exit('worker-1', null, 'SIGKILL');
    for (const worker of ['worker-2', 'worker-3', 'worker-4']) trial.start(worker, 0);
    for (const worker of ['worker-2', 'worker-3', 'worker-4']) trial.end(worker, 0).settle(worker, 0);
    expect(trial.broken()).toEqual(['unexplained-duplicate']);
  });

  it('a second delivery before the lease ended, though its worker was killed before the job had thrown', () => {
    const trial = twoDone().start('worker-1', 0).fault('killed', 'worker-1');
    trial.exit('worker-1', null, 'SIGKILL').run('worker-2', 0, 2);
    expect(trial.broken()).toContain('unexplained-duplicate');
  });

  it('a second delivery without a cause', () => {
    const trial = twoDone().start('worker-1', 0).run('worker-2', 0, 2).end('worker-1', 0);
    trial.settle('worker-1', 0, { kind: 'settle-stale' });
    expect(trial.broken()).toEqual(['unexplained-duplicate']);
  });

  it('a second delivery whose cause touched another worker', () => {
    const trial = twoDone().start('worker-1', 0).fault('stopped', 'worker-2').pass(2.1).healed();
    trial.run('worker-2', 0, 2).end('worker-1', 0).settle('worker-1', 0, { kind: 'settle-stale' });
    expect(trial.broken()).toEqual(['unexplained-duplicate']);
  });

  it('a second delivery that came before the lease of a dead worker was over', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .fault('killed', 'worker-1')
      .exit('worker-1', null, 'SIGKILL');
    expect(trial.pass(0.5).run('worker-2', 0, 2).broken()).toEqual(['unexplained-duplicate']);
  });

  it('two further deliveries of which only one has a cause', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .fault('killed', 'worker-1')
      .exit('worker-1', null, 'SIGKILL');
    trial.pass(2).start('worker-2', 0, 2).run('worker-3', 0, 3).end('worker-2', 0, 2);
    trial.settle('worker-2', 0, { kind: 'settle-stale', attempt: 2 });
    expect(trial.broken()).toEqual(['unexplained-duplicate']);
  });

  it('two deliveries after one release', () => {
    const trial = twoDone().start('worker-1', 0).threw('worker-1', 0);
    trial.settle('worker-1', 0, { operation: 'release' }).start('worker-2', 0, 2).start('worker-3', 0, 2);
    trial.end('worker-2', 0, 2).settle('worker-2', 0, { attempt: 2 });
    trial.end('worker-3', 0, 2).settle('worker-3', 0, { kind: 'settle-stale', attempt: 2 });
    expect(trial.broken()).toContain('unexplained-duplicate');
  });

  it('a freeze that was too short to lose a lease', () => {
    const trial = twoDone().start('worker-1', 0).fault('stopped', 'worker-1').pass(0.3).healed().pass(2);
    trial.run('worker-2', 0, 2).end('worker-1', 0).settle('worker-1', 0, { kind: 'settle-stale' });
    expect(trial.broken()).toEqual(['unexplained-duplicate']);
  });

  it('a worker that stood still, where nothing expires while it is connected', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).start('worker-1', 0).fault('stopped', 'worker-1').pass(1);
    trial.healed().run('worker-2', 0).end('worker-1', 0).settle('worker-1', 0);
    expect(trial.broken()).toEqual(['unexplained-duplicate']);
  });

  it('an unanswered settlement that no fault had reached', () => {
    const trial = twoDone().start('worker-1', 0).end('worker-1', 0);
    expect(trial.settle('worker-1', 0, { kind: 'settle-unknown' }).broken()).toEqual([
      'unknown-without-fault',
    ]);
  });
});

describe('the judge rejects, of P5,', () => {
  it('a late ack that was applied', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .fault('stopped', 'worker-1')
      .pass(2.1)
      .start('worker-2', 0, 2);
    trial.healed().end('worker-1', 0).settle('worker-1', 0);
    trial.end('worker-2', 0, 2).settle('worker-2', 0, { kind: 'settle-stale', attempt: 2 });
    expect(trial.broken()).toContain('late-settlement-applied');
  });

  it('a late release that was applied', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .fault('stopped', 'worker-1')
      .pass(2.1)
      .start('worker-2', 0, 2);
    trial.healed().threw('worker-1', 0).settle('worker-1', 0, { operation: 'release' });
    trial.end('worker-2', 0, 2).settle('worker-2', 0, { attempt: 2 });
    expect(trial.broken()).toEqual(['late-settlement-applied']);
  });

  it('an effect of a stale release: the job came once more than it may', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .fault('stopped', 'worker-1')
      .pass(2.1)
      .start('worker-2', 0, 2);
    trial.healed().threw('worker-1', 0).settle('worker-1', 0, { kind: 'settle-stale', operation: 'release' });
    trial
      .run('worker-3', 0, 3)
      .end('worker-2', 0, 2)
      .settle('worker-2', 0, { kind: 'settle-stale', attempt: 2 });
    expect(trial.broken()).toContain('unexplained-duplicate');
  });

  it('two workers that were both told to have settled the job', () => {
    const trial = twoDone().start('worker-1', 0).fault('stopped', 'worker-1').pass(2.1).run('worker-2', 0, 2);
    trial.healed().end('worker-1', 0).settle('worker-1', 0);
    expect(trial.broken()).toContain('settled-twice');
  });

  it('one delivery that was settled twice', () => {
    const trial = twoDone().run('worker-1', 0).settle('worker-1', 0);
    expect(trial.broken()).toContain('settled-twice');
  });

  it('one delivery that was released twice', () => {
    const trial = twoDone().start('worker-1', 0).threw('worker-1', 0);
    trial.settle('worker-1', 0, { operation: 'release' }).settle('worker-1', 0, { operation: 'release' });
    expect(trial.run('worker-1', 0, 2).broken()).toContain('settled-twice');
  });

  it('a current delivery that was told to be stale', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .end('worker-1', 0)
      .settle('worker-1', 0, { kind: 'settle-stale' });
    expect(trial.broken()).toContain('stale-without-reason');
  });
});

describe('the judge rejects, of P6 and P7,', () => {
  it('a worker that was told to stop and left what it ran', () => {
    const trial = twoDone().start('worker-1', 0).fault('told-to-stop', 'worker-1').exit('worker-1');
    expect(trial.pass(2).run('worker-2', 0, 2).broken()).toContain('left-by-a-stop');
  });

  it('a job that came back long after a forced stop', () => {
    const trial = twoDone().start('worker-1', 0).fault('told-to-stop', 'worker-1');
    trial.fault('forced-to-stop', 'worker-1').exit('worker-1', 1).pass(30).run('worker-2', 0);
    expect(trial.broken()).toContain('left-by-a-stop');
  });

  it('a job that was given up on and is in no failed store', () => {
    const trial = twoDone()
      .start('worker-1', 0)
      .threw('worker-1', 0)
      .settle('worker-1', 0, { operation: 'fail' });
    expect(trial.broken()).toEqual(['dropped-unseen']);
  });

  it('a job in the failed store that no worker told of', () => {
    const leftovers = { ...NOTHING_LEFT, failed: 1, failedIds: ['id-0'] };
    expect(twoDone({ leftovers }).run('worker-1', 0).broken()).toEqual(['failed-unseen']);
  });

  it('malformed bytes that nobody told of', () => {
    const trial = twoDone().run('worker-1', 0).fault('poisoned', 'queue', { detail: 'malformed' });
    expect(trial.broken()).toEqual(['malformed-unseen']);
  });
});

describe('the judge rejects a trial that shows nothing:', () => {
  it('empty ledgers', () => {
    expect(new WrittenTrial().broken()).toEqual(['not-accepted']);
    expect(new WrittenTrial().judged().violations).toHaveLength(3);
  });

  it('a job that was tried and never accepted', () => {
    const trial = new WrittenTrial({ jobs: 1 })
      .fault('cut', 'pusher')
      .write('pusher', { kind: 'push-try', job: 0 });
    expect(trial.write('pusher', { kind: 'push-unknown', job: 0 }).broken()).toEqual(['not-accepted']);
  });

  it('a fault that never happened', () => {
    const trial = twoDone({ bites: [{ fault: 'killed', while: 'delivery', times: 1 }] }).run('worker-1', 0);
    expect(trial.broken()).toEqual(['fault-did-not-bite']);
  });

  it('a fault that hit a worker with nothing in hand', () => {
    const trial = twoDone({ bites: [{ fault: 'killed', while: 'delivery', times: 1 }] }).run('worker-1', 0);
    expect(trial.fault('killed', 'worker-1').exit('worker-1', null, 'SIGKILL').broken()).toEqual([
      'fault-did-not-bite',
    ]);
  });

  it('a fault of the wire when no push was under way', () => {
    const trial = twoDone({ bites: [{ fault: 'reply-dropped', while: 'push', times: 1 }] }).run(
      'worker-1',
      0,
    );
    expect(trial.fault('reply-dropped', 'pusher').broken()).toEqual(['fault-did-not-bite']);
  });

  it('a worker that ended by itself', () => {
    expect(twoDone().run('worker-1', 0).exit('worker-1', 70).broken()).toEqual(['process-ended']);
  });

  it('a payload that changed, or whatever else a process calls a defect', () => {
    const trial = twoDone().run('worker-1', 0).write('worker-1', { kind: 'defect', text: 'another payload' });
    expect(trial.broken()).toEqual(['defect']);
  });
});

describe('what the judge says of a violation', () => {
  it('names the job and shows the lines', () => {
    const [violation] = twoDone().start('worker-1', 0).judged().violations;
    expect(violation).toMatchObject({ promise: 'P1', text: 'job 0 was accepted and never done' });
    expect(violation?.lines.map(({ kind }) => kind)).toEqual(['push-ok', 'start']);
  });
});
