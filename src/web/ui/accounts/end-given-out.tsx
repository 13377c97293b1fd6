import { useId } from 'preact/hooks';
import type { Ended, GivenOut } from '../../../identity/users/recovery.ts';
import { Check } from '../forms/field.tsx';
import { text } from '../../text.ts';

const kinds = Object.keys(text.recovery.ended) as GivenOut[];

/**
 * Asks whether the user's sessions, tokens and shares end too, when an account is secured. `keptOf` reads it.
 * @param user undefined: the own account
 */
export function EndGivenOut({ user }: { readonly user?: string | undefined }) {
  const hint = useId();
  return (
    <>
      {kinds.map((kind) => (
        <Check
          key={kind}
          label={user === undefined ? text.recovery.endMine[kind] : text.recovery.endThoseOf[kind](user)}
          name={`end_${kind}`}
          defaultChecked
          aria-describedby={hint}
        />
      ))}
      <small id={hint}>{text.recovery.endHint}</small>
    </>
  );
}

/** @returns what is kept */
export function keptOf(form: FormData): GivenOut[] {
  return kinds.filter((kind) => !form.has(`end_${kind}`));
}

/** @returns sentences, each with a leading space; empty when nothing was ended */
export function endedText(ended: Ended): string {
  return kinds
    .filter((kind) => ended[`${kind}_ended`] > 0)
    .map((kind) => ` ${text.recovery.ended[kind](ended[`${kind}_ended`])}`)
    .join('');
}
