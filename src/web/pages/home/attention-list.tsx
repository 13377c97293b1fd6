import { useEffect, useState } from 'preact/hooks';
import { accessRequestsApi, attentionApi, bodyOf, type Attention } from '../../api-client.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { attentionText } from '../../ui/attention-text.ts';
import { gatePath, pageOf } from '../../path-prefix.ts';
import { fill, text } from '../../text.ts';

/** @returns an empty list on failure: the rest of the page matters more than an error */
function ask(): Promise<readonly Attention[]> {
  return bodyOf(attentionApi.index.$get()).catch((): readonly Attention[] => []);
}

// A visit that begins at Home asks in parallel with the profile.
let early = pageOf(location.pathname.replace(/\/+$/, '')) === '/' ? ask() : undefined;

/** @returns the list, or `undefined` while loading, so that the content below does not jump */
export function useAttention(): readonly Attention[] | undefined {
  const [found, setFound] = useState<readonly Attention[]>();
  useEffect(() => {
    (early ?? ask()).then(setFound, () => setFound([]));
    early = undefined;
  }, []);
  return found;
}

/** Sample events carry their own note, and the wall shows why it has no pictures. */
const shownElsewhere: ReadonlySet<Attention['kind']> = new Set(['sample_data', 'recorder_away']);

/** Lists what the user should know or act on. A hint can be dismissed until the browser is closed. */
export function AttentionList(props: { readonly found: readonly Attention[] }) {
  const [found, setFound] = useState(props.found);
  const [away, setAway] = useState(dismissed);
  const decline = (user: string, camera: string) =>
    void bodyOf(accessRequestsApi[':user'][':camera'].$delete({ param: { user, camera } }))
      .then(ask)
      .then(setFound)
      .catch(() => undefined);
  // A recorder that is away causes other notices: one is enough.
  const isAway = found.some(({ kind }) => kind === 'recorder_away');
  const shown = found.filter(
    ({ kind }) => !shownElsewhere.has(kind) && !away.has(kind) && !(isAway && kind === 'role_unverified'),
  );
  if (shown.length === 0) return null;
  return (
    <section aria-label={text.attention.title}>
      <ul class="attention">
        {shown.map(({ kind, level, page, detail }) => {
          const { action } = text.attention[kind];
          const says = attentionText(kind, named(detail));
          return (
            <li key={kind} class={level === 'problem' ? 'notice failure' : 'notice'}>
              <span>{says}</span>
              {page !== null && <a href={gatePath(pathOf(kind, page, detail))}>{action}</a>}
              {kind === 'access_asked' ? (
                <button
                  type="button"
                  class="secondary outline"
                  onClick={() => decline(String(detail['user']), String(detail['camera']))}
                >
                  {text.attention.access_asked.decline}
                </button>
              ) : (
                level === 'hint' && (
                  <button
                    type="button"
                    class="close"
                    aria-label={fill(text.home.dismiss, { what: says })}
                    onClick={() => setAway(dismiss(kind))}
                  >
                    ✕
                  </button>
                )
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** @returns the detail with a camera as pages call it */
function named(detail: Attention['detail']): Attention['detail'] {
  const { camera } = detail;
  return typeof camera === 'string' ? { ...detail, camera: cameraText(camera) } : detail;
}

/** A request leads to the dialog of the role, with the camera chosen. */
function pathOf(kind: Attention['kind'], page: string, { role, camera }: Attention['detail']): string {
  if (kind !== 'access_asked') return page;
  return `${page}/${encodeURIComponent(String(role))}?add=${encodeURIComponent(String(camera))}`;
}

const key = 'postern.dismissed';

/** @returns names of what was dismissed since the browser was opened */
function dismissed(): ReadonlySet<string> {
  return new Set((sessionStorage.getItem(key) ?? '').split(' '));
}

/** Dismisses a hint. @returns all dismissed ones */
function dismiss(name: string): ReadonlySet<string> {
  const names = new Set([...dismissed(), name]);
  sessionStorage.setItem(key, [...names].join(' '));
  return names;
}
