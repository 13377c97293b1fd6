import { useId } from 'preact/hooks';
import type { Ended, GivenOut } from '../../../accounts/users/recovery.ts';
import { Checkbox } from '../forms/field.tsx';
import { fill, plural, text } from '../../text.ts';

const kinds = Object.keys(text.recovery.ended) as GivenOut[];

/**
 * Ticked in advance when an account is recovered. Screens never are: a screen can only show cameras, and someone has to walk
 * to it to pair it again.
 */
export const takenBack: readonly GivenOut[] = ['api_tokens', 'shares'];

interface EndGivenOutProps {
  /** Omit for the user's own account. */
  readonly user?: string | undefined;
  /** Ticked in advance: nothing by default, because most new passwords are not about a thief. */
  readonly chosen?: readonly GivenOut[];
}

/** Asks whether the user's tokens, shares and screens end too. `keptOf` reads it. */
export function EndGivenOut({ user, chosen = [] }: EndGivenOutProps) {
  const hint = useId();
  return (
    <>
      {kinds.map((kind) => (
        <Checkbox
          key={kind}
          label={
            user === undefined ? text.recovery.endMine[kind] : fill(text.recovery.endThoseOf[kind], { user })
          }
          name={`end_${kind}`}
          defaultChecked={chosen.includes(kind)}
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
  const sentences = kinds
    .filter((kind) => ended[`${kind}_ended`] > 0)
    .map((kind) => plural(text.recovery.ended[kind], ended[`${kind}_ended`]));
  if (ended.alert_addresses_ended > 0) sentences.push(text.recovery.addressEnded);
  return sentences.map((sentence) => ` ${sentence}`).join('');
}
