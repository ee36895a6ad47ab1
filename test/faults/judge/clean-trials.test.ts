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

describe('the judge finds nothing in a trial', () => {
  it('in which each job ran once', () => {
    const verdict = twoDone().run('worker-1', 0).judged();
    expect(verdict.violations).toEqual([]);
    expect(verdict.counts).toEqual({
      attempted: 3,
      accepted: 3,
      handled: 3,
      lost: 0,
      unexpected: 0,
      duplicated: 0,
      recovered: 0,
    });
  });

  it('in which a job was released and came again', () => {
    const trial = twoDone().start('worker-1', 0).threw('worker-1', 0);
    const verdict = trial.settle('worker-1', 0, { operation: 'release' }).run('worker-2', 0, 2).judged();
    expect(verdict).toMatchObject({ violations: [], causes: { returned: 1 }, counts: { duplicated: 1 } });
  });

  it('in which a deferred job began again before its worker was told of the deferral', () => {
    const trial = twoDone().start('worker-1', 0).threw('worker-1', 0).start('worker-1', 0);
    const verdict = trial
      .settle('worker-1', 0, { operation: 'defer' })
      .end('worker-1', 0)
      .settle('worker-1', 0)
      .judged();
    expect(verdict).toMatchObject({ violations: [], causes: { returned: 1 } });
  });

  it('in which a worker was killed in mid-job and the job came when its lease was over', () => {
    const trial = twoDone({ bites: [{ fault: 'killed', while: 'delivery', times: 1 }] }).start('worker-1', 0);
    const verdict = trial
      .fault('killed', 'worker-1')
      .exit('worker-1', null, 'SIGKILL')
      .pass(2)
      .run('worker-2', 0, 2)
      .judged();
    expect(verdict).toMatchObject({ violations: [], causes: { 'worker-died': 1 }, counts: { recovered: 1 } });
  });

  it('in which a worker ended a job between the line of its kill and the signal', () => {
    const trial = twoDone().start('worker-1', 0).fault('killed', 'worker-1').end('worker-1', 0);
    expect(trial.exit('worker-1', null, 'SIGKILL').broken()).toEqual([]);
  });

  it('in which a worker was killed with a job that it had deferred and got again, before it wrote of the deferral', () => {
    const trial = twoDone().start('worker-1', 0).threw('worker-1', 0).start('worker-1', 0);
    trial.fault('killed', 'worker-1').exit('worker-1', null, 'SIGKILL').pass(2);
    expect(trial.run('worker-2', 0, 2).broken()).toEqual([]);
  });

  it('in which a job threw between the line of its kill and the signal, and went back', () => {
    const trial = twoDone().start('worker-1', 0).fault('killed', 'worker-1').threw('worker-1', 0);
    expect(trial.exit('worker-1', null, 'SIGKILL').run('worker-2', 0, 2).broken()).toEqual([]);
  });

  it('in which a job that a forced stop gave back began elsewhere before its worker wrote that down', () => {
    const trial = twoDone().start('worker-1', 0).fault('told-to-stop', 'worker-1');
    trial.fault('forced-to-stop', 'worker-1').pass(1).start('worker-2', 0);
    trial.settle('worker-1', 0, { operation: 'defer' }).end('worker-2', 0).settle('worker-2', 0);
    expect(trial.exit('worker-1', 1).broken()).toEqual([]);
  });

  it('in which a job that never began where it was given back ran elsewhere before that was written down', () => {
    const trial = twoDone()
      .fault('told-to-stop', 'worker-1')
      .start('worker-2', 0)
      .end('worker-2', 0)
      .pass(0.1);
    trial.settle('worker-1', 0, { operation: 'defer' }).settle('worker-2', 0).exit('worker-1', 0);
    expect(trial.judged()).toMatchObject({ violations: [], causes: { returned: 1 } });
  });

  it('in which a worker was killed when the job that threw had gone back', () => {
    const trial = twoDone().start('worker-1', 0).threw('worker-1', 0).fault('killed', 'worker-1');
    const verdict = trial.exit('worker-1', null, 'SIGKILL').run('worker-2', 0, 2).judged();
    expect(verdict).toMatchObject({ violations: [], causes: { returned: 1 } });
  });

  it('in which a worker was killed after the effect, and the ack had been carried out', () => {
    const trial = twoDone().start('worker-1', 0).end('worker-1', 0).fault('killed', 'worker-1');
    expect(trial.exit('worker-1', null, 'SIGKILL').broken()).toEqual([]);
  });

  it('in which a frozen worker came back to a job that was another’s, and was told so', () => {
    const trial = twoDone().start('worker-1', 0).fault('stopped', 'worker-1').pass(2.1).run('worker-2', 0, 2);
    const verdict = trial
      .healed()
      .end('worker-1', 0)
      .settle('worker-1', 0, { kind: 'settle-stale' })
      .judged();
    expect(verdict).toMatchObject({ violations: [], causes: { 'lease-ended': 1 } });
  });

  it('in which a worker was frozen before its handler began, and began when the job was done', () => {
    const trial = twoDone().fault('stopped', 'worker-1').pass(2.1).run('worker-2', 0, 2).healed();
    trial.start('worker-1', 0).end('worker-1', 0).settle('worker-1', 0, { kind: 'settle-stale' });
    expect(trial.broken()).toEqual([]);
  });

  it('in which a worker was frozen before its handler began, and began while the job ran elsewhere', () => {
    const trial = twoDone().fault('stopped', 'worker-1').pass(2.1).start('worker-2', 0, 2).healed();
    trial.start('worker-1', 0).end('worker-2', 0, 2).settle('worker-2', 0, { attempt: 2 });
    trial.end('worker-1', 0).settle('worker-1', 0, { kind: 'settle-stale' });
    expect(trial.broken()).toEqual([]);
  });

  it('in which a push of unknown outcome was made again and both copies ran', () => {
    const trial = twoDone({ jobs: 4 }).run('worker-1', 0).fault('reply-dropped', 'pusher');
    trial.write('pusher', { kind: 'push-try', job: 3 }).write('pusher', { kind: 'push-unknown', job: 3 });
    const verdict = trial.push(3).run('worker-1', 3).run('worker-2', 3, 1, 'id-of-the-first-push').judged();
    expect(verdict).toMatchObject({
      violations: [],
      causes: { 'push-unknown': 1 },
      counts: { duplicated: 1 },
    });
  });

  it('in which an unanswered settlement was not carried out, and the job came again', () => {
    const trial = twoDone().start('worker-1', 0).end('worker-1', 0).fault('reply-dropped', 'workers');
    const verdict = trial
      .settle('worker-1', 0, { kind: 'settle-unknown' })
      .pass(2)
      .run('worker-2', 0, 2)
      .judged();
    expect(verdict).toMatchObject({ violations: [], causes: { 'settlement-unknown': 1 } });
  });

  it('in which an ack that nobody answers was lost with its connection', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).run('worker-1', 0).fault('cut', 'workers');
    expect(trial.run('worker-2', 0).judged()).toMatchObject({
      violations: [],
      causes: { 'connection-lost': 1 },
    });
  });

  it('in which a frozen worker acknowledged into a connection that was gone, before the job came to another', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL })
      .start('worker-1', 0)
      .fault('stopped', 'worker-1')
      .pass(2.6)
      .healed();
    trial.end('worker-1', 0).settle('worker-1', 0).pass(0.2);
    expect(trial.run('worker-2', 0).judged()).toMatchObject({
      violations: [],
      causes: { 'connection-lost': 1 },
    });
  });

  it('in which a worker was frozen before its ack had left it, and lost its connection', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).run('worker-1', 0).fault('stopped', 'worker-1').pass(2.1);
    expect(trial.run('worker-2', 0).healed().judged()).toMatchObject({
      violations: [],
      causes: { 'connection-lost': 1 },
    });
  });

  it('in which a frozen worker lost its connection, and acknowledged into it what was another’s', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL })
      .start('worker-1', 0)
      .fault('stopped', 'worker-1')
      .pass(2.1);
    trial.run('worker-2', 0).healed().end('worker-1', 0).settle('worker-1', 0);
    expect(trial.judged()).toMatchObject({ violations: [], causes: { 'connection-lost': 1 } });
  });

  it('in which a frozen worker that lost its connection began a job that was done, where nothing orders the two', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).fault('stopped', 'worker-1').pass(2.1).run('worker-2', 0);
    trial.healed().run('worker-1', 0);
    expect(trial.judged()).toMatchObject({ violations: [], causes: { 'connection-lost': 1 } });
  });

  it('in which a frozen worker that lost its connection began a job that ran elsewhere', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL })
      .fault('stopped', 'worker-1')
      .pass(2.1)
      .start('worker-2', 0);
    trial.healed().start('worker-1', 0).end('worker-2', 0).settle('worker-2', 0);
    trial.end('worker-1', 0).settle('worker-1', 0, { kind: 'settle-stale' });
    expect(trial.judged()).toMatchObject({ violations: [], causes: { 'connection-lost': 1 } });
  });

  it('in which a worker was killed between the publish of a job that went back and the ack of its original', () => {
    const trial = twoDone({ rules: ON_A_CHANNEL }).start('worker-1', 0).threw('worker-1', 0);
    trial.fault('killed', 'worker-1').exit('worker-1', null, 'SIGKILL');
    trial.start('worker-2', 0).start('worker-3', 0).end('worker-2', 0).settle('worker-2', 0);
    expect(trial.end('worker-3', 0).settle('worker-3', 0).judged()).toMatchObject({ violations: [] });
  });

  it('in which a second signal made a worker give its job back', () => {
    const trial = twoDone().start('worker-1', 0).fault('told-to-stop', 'worker-1');
    trial
      .fault('forced-to-stop', 'worker-1')
      .settle('worker-1', 0, { operation: 'defer' })
      .exit('worker-1', 1);
    expect(trial.run('worker-2', 0).broken()).toEqual([]);
  });

  it('in which a job was given up on and is among the failed jobs', () => {
    const leftovers = { ready: 0, delayed: 0, reserved: 0, failed: 1, failedIds: ['id-0'] };
    const trial = twoDone({ leftovers }).start('worker-1', 0).threw('worker-1', 0);
    expect(trial.settle('worker-1', 0, { operation: 'fail' }).broken()).toEqual([]);
  });

  it('in whose ledgers the processes wrote in any order', () => {
    const trial = new WrittenTrial().push(0).push(1).push(2);
    trial.run('worker-1', 0).run('worker-2', 1).run('worker-1', 2);
    trial.entries.reverse();
    expect(trial.broken()).toEqual([]);
  });
});
