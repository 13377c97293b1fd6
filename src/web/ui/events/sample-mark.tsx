import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';

/** The page itself knows, so that nothing moves once it is there. */
const isSample = document.documentElement.dataset['sample'] === 'yes';

/** Says of the events of a page that they are made up, where they are. */
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
