import { useLocation } from 'preact-iso';
import { useRef, useState } from 'preact/hooks';
import { ApiFailure, bodyOf, displaysApi } from '../../api-client.ts';
import { gatePath } from '../../path-prefix.ts';
import { text } from '../../text.ts';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { Form } from '../../ui/forms/form.tsx';
import { usePageTitle } from '../../ui/page-hooks.ts';
import { ServerLink } from '../../ui/parts.tsx';
import { LetterBoxes } from './letter-boxes.tsx';

interface EnterCodeProps {
  /** The code that was tried before. */
  readonly tried?: string;
  /** Why that was not accepted. */
  readonly failed?: unknown;
}

/** Where someone types the letters that a screen shows. */
export function EnterCode({ tried = '', failed }: EnterCodeProps) {
  const { route } = useLocation();
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  const [isFirst, setFirst] = useState(true);
  const words = text.displays;
  usePageTitle(words.enterTitle);
  const failure = isFirst ? failed : action.failure;
  return (
    <div class="pair-page">
      <h1>{words.enterTitle}</h1>
      <p class="lead">{words.enterHint}</p>
      <Form
        formRef={form}
        action={{ ...action, failure }}
        submit={words.next}
        focusBack="input"
        onSubmit={async (fields) => {
          setFirst(false);
          const code = fieldOf(fields, 'code');
          await bodyOf(displaysApi.code[':code'].$get({ param: { code } }));
          route(`${gatePath('/pair')}?code=${encodeURIComponent(code)}`);
        }}
      >
        <LetterBoxes
          code={tried}
          isWrong={isUnknownCode(failure)}
          onComplete={() => form.current?.requestSubmit()}
        />
      </Form>
      <p>
        {words.noCode} <code>{location.host + gatePath('/pair')}</code>
      </p>
      <p>
        <ServerLink path="/postern/pair?screen">{words.here}</ServerLink>
      </p>
    </div>
  );
}

export function isUnknownCode(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}
