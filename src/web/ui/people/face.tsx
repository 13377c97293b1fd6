import { Icon } from '../drawings.tsx';

/** A ring, a lamp or a lock, beside the letter. */
type FaceState = 'plain' | 'watching' | 'invited' | 'suspended';

interface FaceProps {
  readonly name: string;
  readonly state?: FaceState;
  readonly size?: 'small' | 'large';
}

/** Stands for a person, beside their name: screen readers skip it. */
export function Face({ name, state = 'plain', size }: FaceProps) {
  return (
    <span class={['person-face', hueOf(name), state, size].filter(Boolean).join(' ')} aria-hidden="true">
      {name === '' ? <Icon name="person" /> : initialOf(name)}
      {state === 'watching' && <span class="dot" />}
      {state === 'suspended' && (
        <span class="sign">
          <Icon name="lock" />
        </span>
      )}
    </span>
  );
}

const hues = 5;

/** @returns the same one of five hues for a name on every page and device */
function hueOf(name: string): string {
  let sum = 0;
  for (const letter of name.toLowerCase()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return `hue-${(sum % hues) + 1}`;
}

function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return first?.segment.toUpperCase() ?? '';
}
