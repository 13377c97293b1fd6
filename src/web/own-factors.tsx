import { useRef, useState } from 'preact/hooks';
import { beginCode, hasFactor, type CodeSetup, type OwnPasskey, type SignInMethods } from './factors-api.ts';
import { useFocusNear } from './focus-near.ts';
import { hasPasskeys } from './has-passkeys.ts';
import { FailureNotice } from './notices.tsx';
import { Row, RowAction, useMarked } from './row.tsx';
import { text } from './text.ts';
import { Day, TimeAgo } from './time.tsx';
import { tell } from './toasts.tsx';
import { useAction } from './use-action.ts';
import { useDialog } from './use-dialog.ts';
import { useLater } from './use-later.ts';

const loadDialogs = () => import('./factor-dialogs.tsx');

/** Which holds no secret: after a login it is opened again. */
type Dialog =
  | { readonly kind: 'add' | 'remove-code' | 'renew' }
  | { readonly kind: 'remove'; readonly passkey: OwnPasskey };

/** Passkeys, one-time codes and recovery codes of whoever looks. */
export function OwnFactors(props: {
  readonly methods: SignInMethods;
  /** Until there is a factor, nothing else can be opened. */
  readonly isRestricted: boolean;
  /** @param isFirst sessions elsewhere have ended */
  readonly onChange: (isFirst: boolean) => void;
}) {
  const { methods, isRestricted, onChange } = props;
  const {
    passkeys,
    one_time_code: code,
    recovery_codes_left: left,
    required,
    passkeys_possible: mayAdd,
  } = methods;
  const [dialog, open, close] = useDialog<Dialog>('methods');
  const [setup, setSetup] = useState<CodeSetup>();
  const [codes, setCodes] = useState<{ readonly made: readonly string[]; readonly told: string }>();
  const dialogs = useLater(loadDialogs, dialog !== undefined || setup !== undefined, () => {
    close();
    setSetup(undefined);
  });
  const { busy, failure, run } = useAction();
  const [marked, mark] = useMarked();
  const heading = useRef<HTMLHeadingElement>(null);
  const removes = useFocusNear(
    [...passkeys.map(({ id }) => id), ...(code === null ? [] : ['code'])],
    heading,
  );
  const isLast = passkeys.length + (code === null ? 0 : 1) === 1;
  const added = (row: string, message: string, made: readonly string[]) => {
    const isFirst = !hasFactor(methods);
    const told = isFirst ? `${message} ${text.methods.othersEnded}` : message;
    // Nothing stands over the codes.
    if (made.length > 0) setCodes({ made, told });
    else tell(told);
    mark(row);
    onChange(isFirst);
  };
  const removed = (row: string, message: string) => {
    removes(row);
    tell(message);
    onChange(false);
  };
  return (
    <>
      {isRestricted && (
        <p class="notice" role="status">
          <strong>{text.methods.needed}</strong> {text.methods.neededHint}
        </p>
      )}
      <div class="title-row">
        <h3 ref={heading} tabIndex={-1}>
          {text.methods.factors}
        </h3>
        {mayAdd && hasPasskeys() && (
          <button type="button" onClick={() => open({ kind: 'add' })}>
            {text.methods.addPasskey}
          </button>
        )}
      </div>
      <FailureNotice error={failure} />
      <ul class="rows" aria-label={text.methods.title}>
        {passkeys.map((passkey) => (
          <Row key={passkey.id} name={passkey.id} marked={marked === passkey.id}>
            <div class="row-name long">
              <strong dir="auto">{passkey.name}</strong> <span class="badge">{text.methods.passkey}</span>
              <div>
                <small>
                  {text.methods.madeOn} <Day seconds={passkey.created_at} /> ·{' '}
                  <LastUse at={passkey.last_used_at} />
                </small>
              </div>
            </div>
            <div class="row-actions">
              <RowAction
                danger
                aria-label={text.methods.removeOf(passkey.name)}
                onClick={() => open({ kind: 'remove', passkey })}
              >
                {text.methods.remove}
              </RowAction>
            </div>
          </Row>
        ))}
        <Row name="code" marked={marked === 'code'}>
          <div class="row-name long">
            <strong>{text.methods.code}</strong>
            <div>
              <small>
                {code === null ? (
                  text.methods.codeHint
                ) : (
                  <>
                    {text.methods.setUpOn} <Day seconds={code.created_at} />
                  </>
                )}
              </small>
            </div>
          </div>
          <div class="row-actions">
            {code === null ? (
              <RowAction
                aria-label={text.methods.setUpCode}
                aria-busy={busy}
                disabled={busy}
                onClick={() => run(async () => setSetup(await beginCode()))}
              >
                {text.methods.setUp}
              </RowAction>
            ) : (
              <RowAction
                danger
                aria-label={text.methods.removeOf(text.methods.code)}
                onClick={() => open({ kind: 'remove-code' })}
              >
                {text.methods.remove}
              </RowAction>
            )}
          </div>
        </Row>
        {hasFactor(methods) && (
          <Row name="recovery-codes">
            <div class="row-name long">
              <strong>{text.methods.recoveryCodes}</strong>
              <div>
                <small class={left < 3 ? 'row-warning' : undefined}>{text.methods.left(left)}</small>
              </div>
            </div>
            <div class="row-actions">
              <RowAction aria-label={text.methods.makeNew} onClick={() => open({ kind: 'renew' })}>
                {text.methods.makeNew}
              </RowAction>
            </div>
          </Row>
        )}
      </ul>
      {dialogs !== undefined && dialog?.kind === 'add' && (
        <dialogs.AddPasskey
          withCodes={left === 0}
          onClose={close}
          onDone={({ id, codes: made }) => added(id, text.methods.passkeyAdded, made)}
        />
      )}
      {dialogs !== undefined && setup !== undefined && (
        <dialogs.SetUpCode
          setup={setup}
          onClose={() => setSetup(undefined)}
          onDone={(made) => added('code', text.methods.codeAdded, made.recovery_codes)}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'renew' && (
        <dialogs.RenewCodes
          left={left}
          onClose={close}
          onDone={(made) => {
            setCodes({ made: made.recovery_codes, told: text.methods.renewed });
            onChange(false);
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'remove' && (
        <dialogs.RemovePasskey
          passkey={dialog.passkey}
          isLast={isLast}
          isRequired={required}
          onClose={close}
          onDone={() => removed(dialog.passkey.id, text.methods.removed(dialog.passkey.name))}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'remove-code' && (
        <dialogs.RemoveCode
          isLast={isLast}
          isRequired={required}
          onClose={close}
          onDone={() => removed('code', text.methods.codeRemoved)}
        />
      )}
      {dialogs !== undefined && codes !== undefined && (
        <dialogs.RecoveryCodes
          codes={codes.made}
          onClose={() => {
            tell(codes.told);
            setCodes(undefined);
          }}
        />
      )}
    </>
  );
}

function LastUse({ at }: { readonly at: number | null }) {
  if (at === null) return <>{text.methods.neverUsed}</>;
  return (
    <>
      {text.methods.lastUsed} <TimeAgo seconds={at} />
    </>
  );
}
