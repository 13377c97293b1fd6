import type { RecorderRoles } from './api-client.ts';
import { FailureNotice } from './notices.tsx';
import { defineRole } from './change-roles.ts';
import { RowAction } from './row.tsx';
import { text } from './text.ts';
import { useAction } from './use-action.ts';

interface RolesAtRecorderProps {
  readonly roles: RecorderRoles['only_at_recorder'];
  readonly onTaken: (name: string) => void;
}

/** Roles that only the recorder has: one press takes one over into the gate. */
export function RolesAtRecorder({ roles, onTaken }: RolesAtRecorderProps) {
  const { busy, failure, run } = useAction();
  const takeOver = (name: string, cameras: readonly string[]) =>
    run(async () => {
      await defineRole(name, { cameras, window: null });
      onTaken(name);
    });
  if (roles.length === 0) return null;
  return (
    <section aria-labelledby="at-recorder">
      <h2 id="at-recorder">{text.roles.onlyAtRecorder}</h2>
      <p class="hint">{text.roles.onlyAtRecorderHint}</p>
      <FailureNotice error={failure} />
      <ul class="rows" aria-labelledby="at-recorder">
        {roles.map(({ name, cameras }) => (
          <li key={name}>
            <div class="row-name">
              <strong>{name}</strong>
              <div class="badges">
                {cameras.length === 0 && <small>{text.roles.allCameras}</small>}
                {cameras.map((camera) => (
                  <span class="badge" key={camera}>
                    {camera}
                  </span>
                ))}
              </div>
            </div>
            {cameras.length > 0 && (
              <div class="row-actions">
                <RowAction
                  aria-label={text.roles.takeOverOf(name)}
                  aria-busy={busy}
                  onClick={() => takeOver(name, cameras)}
                >
                  {text.roles.takeOver}
                </RowAction>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
