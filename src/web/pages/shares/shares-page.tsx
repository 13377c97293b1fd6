import { gatePath } from '../../path-prefix.ts';
import { SettingsFrame } from '../../ui/section.tsx';
import { ShareList } from './share-list.tsx';
import { text } from '../../text.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';

/** All shares, for admins. */
export function SharesPage() {
  return (
    <SettingsFrame page="shares">
      <ShareList ofAll />
    </SettingsFrame>
  );
}

/** The user's own shares. */
export function OwnSharesPage() {
  usePageTitle(text.shares.title);
  return (
    <div class="narrow">
      <p>
        <a href={gatePath('/account')}>{text.shares.toAccount}</a>
      </p>
      <h1>{text.shares.title}</h1>
      <ShareList />
    </div>
  );
}
