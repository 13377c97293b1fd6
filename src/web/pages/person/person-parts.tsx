import type { ComponentChildren } from 'preact';
import type { Person } from '../../api-client.ts';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { Shot } from '../../ui/cameras/camera-choice.tsx';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { Time, TimeAgo } from '../../ui/parts.tsx';
import { capabilities } from '../../ui/roles/role-access.ts';
import { whyPath } from '../../ui/roles/role-paths.ts';
import { agentText } from '../../ui/sessions/agent-text.ts';
import { dayAt } from '../../ui/days.ts';
import { gateZone } from '../../ui/time-text.ts';
import { listText } from '../../ui/words.ts';
import type { PersonDialogKind } from './person-dialogs.tsx';

const words = text.people;

interface OwnCamerasProps {
  readonly person: Person;
  readonly name: string;
}

/** The cameras that someone may see, and below them the others. Each leads to why. */
export function OwnCameras({ person, name }: OwnCamerasProps) {
  const { grant, account } = person;
  const { allowed_cameras: all } = useProfile();
  const allowed = grant.cameras === null ? all : grant.allowed_cameras;
  const others = inOrder(all.filter((camera) => !allowed.includes(camera)));
  const may = capabilities.filter((word) => grant.may.includes(word));
  // Only someone with an account can be asked about.
  const whyOf = (camera: string) => whyPath({ user: name }, { camera });
  return (
    <section aria-labelledby="cameras">
      <h2 id="cameras">{fill(words.cameras, { count: allowed.length })}</h2>
      {allowed.length > 0 && (
        <p class="badges">
          {may.map((word) => (
            <span key={word} class="tag">
              {text.capabilities.names[word]}
            </span>
          ))}
        </p>
      )}
      <ul class="picks">
        {inOrder(allowed).map((camera) => (
          <OwnCamera key={camera} camera={camera} why={account === null ? undefined : whyOf(camera)} />
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h3>{words.notShared}</h3>
          <p class="not-shared">
            {others.map((camera) =>
              account === null ? (
                <span key={camera} class="tag">
                  {cameraText(camera)}
                </span>
              ) : (
                <a
                  key={camera}
                  class="chip"
                  href={whyOf(camera)}
                  title={fill(words.whyNot, { who: name, camera: cameraText(camera) })}
                >
                  {cameraText(camera)}
                </a>
              ),
            )}
          </p>
        </>
      )}
    </section>
  );
}

interface OwnCameraProps {
  readonly camera: string;
  readonly why: string | undefined;
}

function OwnCamera({ camera, why }: OwnCameraProps) {
  return (
    <li class="pick own">
      <a class="shot" {...(why !== undefined && { href: why })}>
        <Shot camera={camera} loading="lazy" />
      </a>
    </li>
  );
}

interface PersonPartsProps {
  readonly person: Person;
  readonly name: string;
  readonly open: (dialog: PersonDialogKind) => void;
  readonly onChange: () => void;
}

/** @param last when they watched last, in seconds since the epoch. @returns the page with what they watched on that day */
function watchedPath(name: string, last: number | undefined): string {
  const day = last === undefined ? {} : { day: dayAt(last, gateZone()) };
  return `/watched?${new URLSearchParams({ ...day, person: name }).toString()}`;
}

/** Devices, screens, links and tokens of a person, and what they watched. */
export function PersonParts({ person, name, open }: PersonPartsProps) {
  const { devices, displays = [], shares = [], tokens = [], watched, account } = person;
  if (account === null) return null;
  return (
    <div>
      {watched.last !== undefined && (
        <Part id="watched" title={words.watched}>
          <Line title={watched.last === null ? words.nothingWatched : cameraText(watched.last.camera)}>
            {watched.last !== null && (
              <>
                {words.kinds[watched.last.kind]} · <Time seconds={watched.last.to} />
              </>
            )}
          </Line>
          <p>
            <a href={gatePath(watchedPath(name, watched.last?.to))}>{fill(words.allWatched, { name })}</a>
          </p>
        </Part>
      )}
      <Part id="devices" title={words.devices}>
        {devices === null && <p>{words.devicesUnknown}</p>}
        {devices?.length === 0 && <p class="muted">{words.noDevices}</p>}
        {devices?.map((device) => (
          <Line
            key={device.id}
            title={agentText(device.agent)}
            action={
              !device.current && (
                <End
                  label={fill(words.signOutOf, { what: agentText(device.agent) })}
                  onClick={() => open({ session: device.id })}
                >
                  {words.signOut}
                </End>
              )
            }
          >
            {device.current && `${text.sessions.current} · `}
            {text.sessions.seen} <TimeAgo seconds={device.last_seen_at} />
          </Line>
        ))}
      </Part>
      {displays.length > 0 && (
        <Part id="screens" title={words.screens}>
          {displays.map(({ id, name, cameras }) => (
            <Line
              key={id}
              title={name}
              action={
                <End label={fill(words.endOf, { what: name })} onClick={() => open({ display: id })}>
                  {words.end}
                </End>
              }
            >
              {cameras === null ? words.allOfTheirs : listText(inOrder(cameras).map(cameraText))}
            </Line>
          ))}
        </Part>
      )}
      {shares.length > 0 && (
        <Part id="links" title={words.links}>
          {shares.map(({ id, kind, cameras, label, expires_at: until }) => {
            const title = label ?? `${text.shares.kinds[kind]}: ${listText(cameras.map(cameraText))}`;
            return (
              <Line
                key={id}
                title={title}
                action={
                  <End label={fill(words.endOf, { what: title })} onClick={() => open({ share: id })}>
                    {words.end}
                  </End>
                }
              >
                {words.worksUntil} <Time seconds={until} />
              </Line>
            );
          })}
        </Part>
      )}
      {tokens.length > 0 && (
        <Part id="tokens" title={text.settings.tokens}>
          {tokens.map(({ id, name, last_used_at: used }) => (
            <Line
              key={id}
              title={name}
              action={
                <End label={fill(words.endOf, { what: name })} onClick={() => open({ token: id })}>
                  {text.tokens.revoke}
                </End>
              }
            >
              {used === null ? text.tokens.neverUsed : <TimeAgo seconds={used} />}
            </Line>
          ))}
        </Part>
      )}
    </div>
  );
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Part({ id, title, children }: PartProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div class="card lines">{children}</div>
    </section>
  );
}

interface LineProps {
  readonly title: string;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Line({ title, action, children }: LineProps) {
  return (
    <div class="line-of">
      <div>
        <strong dir="auto">{title}</strong>
        <small>{children}</small>
      </div>
      {action}
    </div>
  );
}

interface EndProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function End({ label, onClick, children }: EndProps) {
  return (
    <button type="button" class="quiet" aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
