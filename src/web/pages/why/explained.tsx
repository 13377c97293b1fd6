import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { hasPictures, isOn } from '../../ui/page-marks.ts';
import { pathTo, gatePath } from '../../path-prefix.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { isNamelessRole } from '../../../policy/names.ts';
import { roleText } from '../../ui/roles/role-access.ts';
import { personPath, rolePath } from '../../ui/roles/role-paths.ts';
import { withCode } from '../../ui/parts.tsx';
import type { AccessPlace } from './give-access.ts';
import { fill, text } from '../../text.ts';
import type { Explanation } from '../../api-client.ts';
import { listText } from '../../ui/words.ts';

interface AnswerCardProps {
  /** The camera whose picture is shown. `undefined` for none. */
  readonly camera: string | undefined;
  readonly isAllowed: boolean;
  readonly title: string;
  readonly detail?: ComponentChildren;
  /** Buttons and links below the answer. */
  readonly children?: ComponentChildren;
}

/** An answer beside an arch, which is lit if access is allowed. */
export function AnswerCard({ camera, isAllowed, title, detail, children }: AnswerCardProps) {
  const [isMissing, setMissing] = useState(false);
  return (
    <section class="answer">
      <div class={isAllowed ? 'arch' : 'arch shut'} aria-hidden="true">
        {camera !== undefined && hasPictures && !isMissing && (
          <img
            src={pathTo(`/api/${encodeURIComponent(camera)}/latest.jpg?height=270`)}
            alt=""
            onError={() => setMissing(true)}
          />
        )}
      </div>
      <div class="answer-text">
        <h2>{title}</h2>
        {detail !== undefined && <p>{detail}</p>}
      </div>
      <div class="answer-do">{children}</div>
    </section>
  );
}

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
    case 'person':
      return fill(give.person, { user: place.user });
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
    case 'person':
    case 'unblock':
    case 'account':
      return personPath(place.user);
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

/** The explanation of a verdict: advice, and the steps that led to it. */
export function Explained({ explanation }: { readonly explanation: Explanation }) {
  const { verdict, advice, steps } = explanation;
  const names: Readonly<Record<string, string>> = words.stepNames;
  return (
    <>
      {verdict === 'allow' ? (
        steps.filter(({ step }) => step === 'query').map(({ says }) => <p key={says}>{says}</p>)
      ) : (
        <p>
          <strong>{words.whatToDo}:</strong> {withCode(advice)}
        </p>
      )}
      <details class="more">
        <summary>{words.steps}</summary>
        <ol class="verdict-steps">
          {steps.map(({ step, says }) => (
            <li key={step + says}>
              <span>{names[step] ?? step}</span>{' '}
              <span dir="auto">{step === 'role' ? roleText(says) : says}</span>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

interface About {
  readonly role: string | null;
  readonly user: string | undefined;
  /** Omit to name the cameras of the explanation. */
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
  const own = role !== null && user !== undefined && isNamelessRole(role) ? user : undefined;
  if (reason === 'camera_not_granted' && named !== '') {
    if (token !== null) return fill(words.because.token, { camera: named });
    if (own !== undefined) return fill(words.because.ownCamera, { user: own, camera: named });
    if (role !== null) return fill(words.because.camera, { role, camera: named });
  }
  // A token may have words and a schedule of its own.
  if (role !== null && token === null) {
    if (reason === 'role_may_not' && missing !== null)
      return own === undefined
        ? fill(words.because.may, { role, can: words.verbs[missing] })
        : fill(words.because.ownMay, { user: own, can: words.verbs[missing] });
    if (reason === 'role_outside_schedule')
      return own === undefined
        ? fill(words.because.closed, { role })
        : fill(words.because.ownClosed, { user: own });
  }
  return sentence(meaning);
}

/** @param meaning begins in lower case and ends without a full stop */
export function sentence(meaning: string): string {
  return `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`;
}
