import { useId } from 'preact/hooks';
import { text } from './text.ts';

const field = 'end_api_tokens';

/** Asks whether API tokens end with a password. `keepsTokens` reads it. */
export function EndTokens({ label }: { readonly label: string }) {
  const hint = useId();
  return (
    <>
      <label class="inline">
        <input type="checkbox" name={field} defaultChecked aria-describedby={hint} />
        {label}
      </label>
      <small id={hint}>{text.passwords.endTokensHint}</small>
    </>
  );
}

export function keepsTokens(form: FormData): boolean {
  return !form.has(field);
}

/** @returns a sentence with a space before it; nothing when no token has ended */
export function endedText(count: number): string {
  return count === 0 ? '' : ` ${text.passwords.tokensEnded(count)}`;
}
