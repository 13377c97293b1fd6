import { useId } from 'preact/hooks';

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
      <small id={hint}>Whatever uses them needs new ones. Whoever had the password may have made some.</small>
    </>
  );
}

export function keepsTokens(form: FormData): boolean {
  return !form.has(field);
}

/** @returns a sentence with a space before it; nothing when no token has ended */
export function endedText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' One API token has ended.' : ` ${count} API tokens have ended.`;
}
