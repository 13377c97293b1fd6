import './style.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { Site } from './site.tsx';

// The link is relative, and would be read anew at the next page's address.
for (const icon of document.querySelectorAll<HTMLLinkElement>('link[rel=icon]'))
  icon.setAttribute('href', icon.href);

const root = document.getElementById('app');
if (root !== null) {
  render(
    <LocationProvider>
      <Site />
    </LocationProvider>,
    root,
  );
}
