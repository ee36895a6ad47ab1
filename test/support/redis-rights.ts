import { readFileSync } from 'node:fs';

/** The rights that docs/redis.md gives a user of the queue, as words of ACL SETUSER, and those that a cluster adds. */
export function documentedRights(): {
  readonly rules: readonly string[];
  readonly onCluster: readonly string[];
} {
  const page = readFileSync('docs/redis.md', 'utf8');
  const [, rules = ''] = /```text\nACL SETUSER queue ([^]*?)```/.exec(page) ?? [];
  const [, more = ''] = /On a cluster also `([^`]*)`/.exec(page) ?? [];
  const own = rules.split(/\s+/).filter((rule) => rule !== '');
  return { rules: own, onCluster: [...own, ...more.split(' ')] };
}
