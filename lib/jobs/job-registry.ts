import { JobDeclarationException } from '../contract/index.js';
import type { JobDefinition } from './job-definition.js';

/** The shortest name of a class that is not suspected to be a minifier's. */
const SHORTEST_CLASS_NAME = 3;

/** The job classes that one application lists: the only ones that it ever constructs. */
export class JobRegistry {
  readonly #byTarget = new Map<object, JobDefinition>();
  readonly #byName = new Map<string, JobDefinition>();

  /**
   * Lists a class under its wire name and its aliases. The same class twice is fine.
   *
   * @throws JobDeclarationException where another class has the name, or the name is a minifier's
   */
  add(definition: JobDefinition): void {
    if (this.#byTarget.has(definition.target)) return;
    if (!definition.explicitName && definition.name.length < SHORTEST_CLASS_NAME) {
      throw new JobDeclarationException(
        `Job class "${definition.name}": a class name this short is usually a minifier's and changes with the next ` +
          `build. Give the job a name of its own: @Job({ name: '…' }).`,
      );
    }
    const names = [definition.name, ...definition.aliases];
    for (const name of names) this.#refuseTaken(name, definition);
    for (const name of names) this.#byName.set(name, definition);
    this.#byTarget.set(definition.target, definition);
  }

  /** The definition with this wire name or alias, null where no listed class has it. */
  find(wireName: string): JobDefinition | null {
    return this.#byName.get(wireName) ?? null;
  }

  /** Every listed class once, in the order of listing. */
  definitions(): readonly JobDefinition[] {
    return [...this.#byTarget.values()];
  }

  #refuseTaken(name: string, definition: JobDefinition): void {
    const other = this.#byName.get(name);
    if (other === undefined) return;
    throw new JobDeclarationException(
      `Job classes ${other.target.name} and ${definition.target.name} both answer to the name "${name}". Give one of ` +
        `them another with @Job({ name: '…' }), or take the alias away.`,
    );
  }
}
