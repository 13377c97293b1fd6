import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';

/** The server marks the page, so that nothing moves after loading. */
const isSample = document.documentElement.dataset['sample'] === 'yes';

/** Marks the page's events as made up, if they are. */
export function SampleMark() {
  const isAdmin = useProfile().role === 'admin';
  if (!isSample) return null;
  const { says, action } = text.attention.sample_data;
  return (
    <p class="notice" role="note">
      {says()} {isAdmin && <a href={gatePath('/first-run')}>{action}</a>}
    </p>
  );
}
