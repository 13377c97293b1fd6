import type { Explanation } from '../../api-client.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/words.ts';
import { fill, text } from '../../text.ts';

const words = text.why;

interface About {
  readonly role: string | null;
  readonly user: string | undefined;
  /** Undefined: those of the explanation. */
  readonly camera?: string | undefined;
}

type Refused = Pick<Explanation, 'reason' | 'meaning' | 'missing' | 'not_granted' | 'token_id'>;

/** @returns why something is refused, as a sentence */
export function because(explanation: Refused, { role, user, camera }: About): string {
  const { reason, meaning, missing, not_granted: others, token_id: token } = explanation;
  const named = camera !== undefined ? cameraText(camera) : listText(others.map(cameraText));
  if (reason === 'user_blocked' && user !== undefined) return fill(words.because.blocked, { user });
  if (reason === 'second_factor_missing' && user !== undefined) return fill(words.because.factor, { user });
  if (reason === 'provider_removed' && user !== undefined) return fill(words.because.provider, { user });
  if (reason === 'camera_not_granted' && named !== '') {
    if (token !== null) return fill(words.because.token, { camera: named });
    if (role !== null) return fill(words.because.camera, { role, camera: named });
  }
  // A token may have words and a schedule of its own.
  if (role !== null && token === null) {
    if (reason === 'role_may_not' && missing !== null)
      return fill(words.because.may, { role, can: words.verbs[missing] });
    if (reason === 'role_outside_schedule') return fill(words.because.closed, { role });
  }
  return sentence(meaning);
}

/** Meanings begin in lower case and end without a full stop. */
export function sentence(meaning: string): string {
  return `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`;
}
