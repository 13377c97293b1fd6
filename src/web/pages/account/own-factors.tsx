import { useState } from 'preact/hooks';
import {
  beginCode,
  hasFactor,
  type CodeSetup,
  type OwnPasskey,
  type SignInMethods,
} from '../../ui/sign-in/factors-api.ts';
import { hasPasskeys } from '../../ui/page-marks.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import type { RowContent } from '../../ui/lists/row.tsx';
import { Rows } from '../../ui/lists/row.tsx';
import { fill, text } from '../../text.ts';
import { Day, TimeAgo } from '../../ui/parts.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { useRows } from '../../ui/lists/table.tsx';

const loadDialogs = () => import('./factor-dialogs.tsx');

/** Holds no secret: it is reopened after a login. */
type Dialog =
  | { readonly kind: 'add' | 'remove-code' | 'renew' }
  | { readonly kind: 'remove'; readonly passkey: OwnPasskey };

/** The user's own passkeys, one-time codes and recovery codes. */
export function OwnFactors(props: {
  readonly methods: SignInMethods;
  /** Until there is a factor, nothing else can be opened. */
  readonly isRestricted: boolean;
  /** @param isFirst other sessions have ended */
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
  const [codes, setCodes] = useState<{ readonly made: readonly string[]; readonly message: string }>();
  const dialogs = useLater(loadDialogs, dialog !== undefined || setup !== undefined, () => {
    close();
    setSetup(undefined);
  });
  const { busy, failure, run } = useAction();
  const { heading, marked, mark, goes } = useRows([
    ...passkeys.map(({ id }) => id),
    ...(code === null ? [] : ['code']),
  ]);
  const isLast = passkeys.length + (code === null ? 0 : 1) === 1;
  const added = (row: string, message: string, made: readonly string[]) => {
    const isFirst = !hasFactor(methods);
    const whole = isFirst ? `${message} ${text.methods.othersEnded}` : message;
    // No toast over the codes.
    if (made.length > 0) setCodes({ made, message: whole });
    else showToast(whole);
    mark(row);
    onChange(isFirst);
  };
  const removed = (row: string, message: string) => {
    goes(row);
    showToast(message);
    onChange(false);
  };
  const setUp = {
    label: text.methods.setUpCode,
    name: text.methods.setUp,
    'aria-busy': busy,
    disabled: busy,
    onClick: () => run(async () => setSetup(await beginCode())),
  };
  const remove = (name: string, what: Dialog) => ({
    label: fill(text.methods.removeOf, { name }),
    name: text.methods.remove,
    danger: true,
    onClick: () => open(what),
  });
  const rows: readonly RowContent[] = [
    ...passkeys.map((passkey) => ({
      key: passkey.id,
      title: passkey.name,
      isTyped: true,
      aside: <span class="badge">{text.methods.passkey}</span>,
      facts: [
        <>
          {text.methods.madeOn} <Day seconds={passkey.created_at} />
        </>,
        <LastUse at={passkey.last_used_at} />,
      ],
      actions: [remove(passkey.name, { kind: 'remove', passkey })],
    })),
    {
      key: 'code',
      title: text.methods.code,
      facts: [
        code === null ? (
          text.methods.codeHint
        ) : (
          <>
            {text.methods.setUpOn} <Day seconds={code.created_at} />
          </>
        ),
      ],
      actions: [code === null ? setUp : remove(text.methods.code, { kind: 'remove-code' })],
    },
    ...(hasFactor(methods)
      ? [
          {
            key: 'recovery-codes',
            title: text.methods.recoveryCodes,
            ...(left < 3 ? { warning: leftText(left) } : { facts: [leftText(left)] }),
            actions: [
              {
                label: text.methods.makeNew,
                name: text.methods.makeNew,
                onClick: () => open({ kind: 'renew' }),
              },
            ],
          },
        ]
      : []),
  ];
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
          <button type="button" class="secondary outline" onClick={() => open({ kind: 'add' })}>
            {text.methods.addPasskey}
          </button>
        )}
      </div>
      <FailureNotice error={failure} />
      <Rows caption={text.methods.title} rows={rows} marked={marked} />
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
            setCodes({ made: made.recovery_codes, message: text.methods.renewed });
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
          onDone={() => removed(dialog.passkey.id, fill(text.methods.removed, { name: dialog.passkey.name }))}
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
            showToast(codes.message);
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

function leftText(left: number): string {
  return left === 0 ? text.methods.noneLeft : fill(text.methods.left, { count: left });
}
