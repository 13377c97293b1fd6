import './style.css';
import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { Site } from './site.tsx';
import { clockText } from './ui/time-text.ts';

// The links are relative, and would resolve differently at the next page's address.
for (const link of document.querySelectorAll<HTMLLinkElement>('link:not([rel=stylesheet], [rel$=preload])'))
  link.setAttribute('href', link.href);

const root = document.getElementById('app');
if (root !== null) {
  // Removes the outline shown while loading.
  root.replaceChildren();
  render(
    <LocationProvider>
      <Site />
    </LocationProvider>,
    root,
  );
  // Creating the first format of times takes an old phone a tenth of a second: the page does it while it waits for its answers.
  setTimeout(() => clockText(0));
}
