import { cameraText } from '../../ui/cameras/camera-names.ts';
import { isOn } from '../../ui/page-marks.ts';
import { gatePath } from '../../path-prefix.ts';
import { rolePath } from '../../ui/roles/role-paths.ts';
import { withCode } from '../../ui/parts.tsx';
import type { AccessPlace } from './give-access.ts';
import { fill, text } from '../../text.ts';

const words = text.why;

/** Where access is given: the first place is the nearest. Nothing changes before it is saved there. */
export function Places({ places }: { readonly places: readonly AccessPlace[] }) {
  return (
    <>
      {places.filter(isThere).map((place, i) =>
        place.kind === 'proxy' ? (
          <p key={place.kind}>{withCode(words.give.proxy)}</p>
        ) : (
          <a key={place.kind} class={i === 0 ? 'button' : 'button outline'} href={addressOf(place)}>
            {nameOf(place)}
          </a>
        ),
      )}
    </>
  );
}

/** Tokens that are off have no page. */
const isThere = ({ kind }: AccessPlace) => kind !== 'tokens' || isOn('api_tokens');

type Linked = Exclude<AccessPlace, { readonly kind: 'proxy' }>;

function nameOf(place: Linked): string {
  const { give } = words;
  switch (place.kind) {
    case 'role': {
      const [camera] = place.cameras;
      return camera !== undefined && place.cameras.length === 1
        ? fill(give.camera, { camera: cameraText(camera), role: place.role })
        : fill(give.cameras, { role: place.role });
    }
    case 'may':
      return fill(give.may, { role: place.role });
    case 'schedule':
      return fill(give.schedule, { role: place.role });
    case 'earlier':
      return fill(give.earlier, { role: place.role });
    case 'recorder':
      return fill(give.recorder, { role: place.role });
    case 'user':
      return fill(give.otherRole, { user: place.user });
    case 'unblock':
      return fill(give.unblock, { user: place.user });
    case 'account':
      return fill(give.user, { user: place.user });
    case 'tokens':
      return place.user === undefined ? give.allTokens : fill(give.tokens, { user: place.user });
    case 'add-user':
      return give.addUser;
  }
}

function addressOf(place: Linked): string {
  switch (place.kind) {
    case 'role':
      return rolePath(place.role, place.cameras);
    case 'may':
    case 'schedule':
    case 'earlier':
    case 'recorder':
      return rolePath(place.role);
    case 'user':
    case 'unblock':
    case 'account':
      return settings('users', place.user);
    case 'tokens':
      return settings('tokens', place.user);
    case 'add-user':
      return settings('users');
  }
}

function settings(page: string, search?: string): string {
  const query = search === undefined ? '' : `?${new URLSearchParams({ search }).toString()}`;
  return gatePath(`/settings/${page}`) + query;
}
