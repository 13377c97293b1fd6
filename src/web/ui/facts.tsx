import { Fragment, type ComponentChildren } from 'preact';

/** A name with its value; null: nothing. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** @param code whether the names are code */
export function Facts({ facts, code = false }: { readonly facts: readonly Fact[]; readonly code?: boolean }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{code ? <code>{name}</code> : name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
