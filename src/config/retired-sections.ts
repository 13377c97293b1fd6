import type { Problem } from './problem.ts';
import { isPlainObject } from '../policy/json.ts';

/** Sections of version 1, with what replaces them. */
const retiredSections: Readonly<Record<string, string>> = {
  server: 'one process serves all; several gates share a store (docs/growth.md)',
  cache: 'Postern remembers 20,000 sessions, and verifies others again',
  assertion: 'Postern no longer signs requests; the identity headers stay',
};

/** Values that say no, as YAML 1.1 and 1.2 read them. */
const off: ReadonlySet<unknown> = new Set([undefined, null, false, 'false', 'no', 'off']);

/**
 * Removes sections that version 2 no longer has, with a warning for each. Assertions that were on are a problem: a service behind
 * Postern may rely on them.
 */
export function withoutRetiredSections(document: Record<string, unknown>): {
  readonly document: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
} {
  const written = Object.keys(retiredSections).filter((name) => Object.hasOwn(document, name));
  const { assertion } = document;
  const isAsserting = isPlainObject(assertion) && !off.has(assertion['enabled']);
  return {
    document: Object.fromEntries(Object.entries(document).filter(([name]) => !written.includes(name))),
    warnings: written.map(
      (name) =>
        `${name} has no effect since 2.0.0: delete the line "${name}:" and everything below it in config.yml (${retiredSections[name]})`,
    ),
    problems: isAsserting
      ? [
          {
            path: 'assertion.enabled',
            found: 'assertions that are on',
            allowed:
              'no section assertion: version 2 signs no requests, so a service that checks X-Postern-Assertion would refuse them (docs/upgrade.md)',
          },
        ]
      : [],
  };
}
