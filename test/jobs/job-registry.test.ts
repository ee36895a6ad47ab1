import { describe, expect, it } from 'vitest';
import { JobDeclarationException } from '../../lib/contract/index.js';
import { Job, jobDefinition, JobRegistry, type JobClass, type JobOptions } from '../../lib/jobs/index.js';

function declare(name: string, options: JobOptions = {}): JobClass {
  const target = {
    [name]: class {
      handle(): void {}
    },
  }[name] as JobClass;
  Job(options)(target);
  return target;
}

function registryOf(...targets: readonly JobClass[]): JobRegistry {
  const registry = new JobRegistry();
  for (const target of targets) registry.add(jobDefinition(target));
  return registry;
}

describe('JobRegistry', () => {
  it('finds a class by its wire name and by every former one', () => {
    const target = declare('SendMail', { name: 'mail.send', aliases: ['SendEmail', 'mail'] });
    const registry = registryOf(target);
    for (const name of ['mail.send', 'SendEmail', 'mail']) expect(registry.find(name)?.target).toBe(target);
    expect(registry.find('SendMail')).toBeNull();
    expect(registry.find('constructor')).toBeNull();
  });

  it('lists a class once, however often it is added', () => {
    const first = declare('First');
    const second = declare('Second');
    const registry = registryOf(first, second, first);
    expect(registry.definitions().map(({ target }) => target)).toEqual([first, second]);
  });

  it.each([
    ['one name', {}, {}, 'Report'],
    ['a name and an alias', {}, { name: 'Other', aliases: ['Report'] }, 'Report'],
    ['an alias and a name', { name: 'Other', aliases: ['Report'] }, {}, 'Report'],
    ['two aliases', { name: 'A-name', aliases: ['old'] }, { name: 'B-name', aliases: ['old'] }, 'old'],
  ])('refuses two classes with %s, naming both', (_what, first, second, name) => {
    const add = (): unknown => registryOf(declare('Report', first), declare('Report', second));
    expect(add).toThrow(JobDeclarationException);
    expect(add).toThrow(`Job classes Report and Report both answer to the name "${name}"`);
  });

  it('leaves nothing behind of a class that it refused', () => {
    const registry = registryOf(declare('Report'));
    expect(() => registry.add(jobDefinition(declare('Other', { aliases: ['fresh', 'Report'] })))).toThrow();
    expect(registry.find('fresh')).toBeNull();
    expect(registry.definitions()).toHaveLength(1);
  });

  it('refuses a name that a minifier made, unless it was given on purpose', () => {
    expect(() => registryOf(declare('t'))).toThrow(/Job class "t".*minifier.*@Job\(\{ name/);
    expect(() => registryOf(declare('a1'))).toThrow(JobDeclarationException);
    expect(registryOf(declare('t', { name: 't' })).find('t')).not.toBeNull();
    expect(registryOf(declare('abc')).find('abc')).not.toBeNull();
  });

  it('belongs to one application: another one knows nothing of it', () => {
    registryOf(declare('Report'));
    expect(new JobRegistry().find('Report')).toBeNull();
  });
});
