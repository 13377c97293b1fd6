/** A mistake in the configuration, for the operator. It never repeats values: they may be secrets. */
export interface Problem {
  /** Where: a key such as `auth.roles.olaf`, or a file and line. */
  readonly path: string;
  /** Type of the wrong value. */
  readonly found: string;
  readonly allowed: string;
}

/** All mistakes of a configuration at once. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

/** Collects problems and warnings while values are resolved. */
export interface Findings {
  readonly refuse: (path: string, found: string, allowed: string) => void;
  readonly warn: (warning: string) => void;
  /** Whether the value at a path was wrong in itself, so that it is reported already and is missing now. */
  readonly isLeftOut: (path: string) => boolean;
}

export function describeProblem({ path, found, allowed }: Problem): string {
  return `${path}: found ${found}, allowed is ${allowed}`;
}

/** @returns the type of a value in the words of YAML. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return (
    { string: 'text', number: 'a number', boolean: 'true or false' }[typeof value as string] ?? typeof value
  );
}
