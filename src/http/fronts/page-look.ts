import { createHash } from 'node:crypto';

/*
 * The page of a refusal may appear at any path, below any prefix, and through fronts that pass on nothing but the gate's answer: so it
 * contains its style and script. Its policy lists them by their hashes, so that nothing else can run.
 */

/** The look of the UI (`src/web/style/tokens.css`), in light and dark; without `light-dark()` the browser uses its own colours. */
export const style = `:root{color-scheme:light dark;--bg:light-dark(#f6f3ec,#111514);--surface:light-dark(#fffdf9,#191e1d);--hover:light-dark(#efebe1,#242b29);--line:light-dark(#dfdacd,#2c3331);--edge:light-dark(#868173,#78817d);--text:light-dark(#1f2421,#ece8df);--muted:light-dark(#585e57,#a4aaa4);--accent-fill:light-dark(#1f6f5e,#74c9b2);--accent-text:light-dark(#1f6f5e,#74c9b2);--on-accent:light-dark(#fff,#0d1211)}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:.875rem/1.43 Figtree,system-ui,'Segoe UI',Roboto,'Noto Sans',sans-serif;overflow-wrap:anywhere}
main{display:grid;grid-template-columns:1fr 1fr;gap:clamp(2rem,6vw,6rem);align-items:center;max-width:66rem;min-height:100vh;margin:auto;padding:2rem clamp(1rem,2.2vw,1.5rem)}
header{display:flex;gap:1.5rem;align-items:center;padding:.3rem clamp(1rem,2.2vw,1.5rem);border-bottom:1px solid var(--line)}
header+main{min-height:calc(100vh - 3.5rem)}
header a{display:flex;align-items:center;min-height:2.75rem;color:var(--text);text-decoration:none}
.me{margin-inline-start:auto;padding:0 1.1rem;border-radius:2rem;background:var(--hover)}
.arch{justify-self:end;width:min(100%,27rem);aspect-ratio:4/5.4;overflow:hidden;border-radius:50vmax 50vmax .875rem .875rem;background:#0c100f;box-shadow:0 0 0 1px var(--line)}
.arch>*{display:block;width:100%;height:100%;object-fit:cover}
.arch>img{filter:saturate(.35) brightness(.42)}
.say{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;max-width:24rem}
.house{display:flex;gap:.6rem;align-items:center;color:var(--muted);font-weight:550}
header .house{color:var(--text);font-size:1rem;font-weight:620}
.house svg{flex:none;width:1.45rem;height:1.7rem}
h1{margin:0;font-size:2.25rem;font-weight:620;line-height:1.14;letter-spacing:-.012em;text-wrap:balance;overflow-wrap:break-word}
p{margin:0}
.m{font-size:1rem;line-height:1.5}
.m,.foot{color:var(--muted)}
summary{width:fit-content;min-height:2.75rem;padding:.75rem 0;cursor:pointer}
details>*+*{margin-top:.6rem}
details form{display:flex;flex-wrap:wrap;gap:.5rem}
details button{min-height:2.25rem;font-size:.875rem}
strong{color:var(--text);font-weight:550}
a{color:var(--accent-text);text-underline-offset:.18em}
.do{display:grid;gap:.5rem;margin-top:.5rem}
.do a,button{display:grid;place-items:center;min-height:3rem;padding:.25rem .85rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--surface);color:var(--text);font:inherit;font-size:1rem;font-weight:550;text-align:center;text-decoration:none;cursor:pointer}
.do a:hover,button:hover{background:var(--hover)}
.do .first{background:var(--accent-fill);border-color:transparent;color:var(--on-accent)}
.do .first:hover{filter:brightness(.92)}
.id{display:flex;flex-wrap:wrap;gap:.25rem .6rem;align-items:center}
code{color:var(--text);font:600 .93em ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}
:focus-visible{outline:2px solid var(--accent-text);outline-offset:2px}
[hidden]{display:none}
@media(max-width:47.99rem){main{grid-template-columns:minmax(0,1fr);gap:1.5rem;align-content:start}.arch{justify-self:center;width:11.5rem;aspect-ratio:1/1.08}.say{justify-self:center;width:100%}h1{font-size:1.75rem}}
@media(pointer:coarse){details button{min-height:2.75rem}}
@media(forced-colors:active){.arch{border:1px solid CanvasText}.do .first{forced-color-adjust:none;background:Highlight;border-color:Highlight;color:HighlightText}}`;

/** The gate with its lamp off (`src/web/gate/shut.svg`). */
export const shutGate = `<svg viewBox="136 -130 368 490" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><defs><radialGradient id="v" cx=".5" cy=".48" r=".72"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-color="#04070a" stop-opacity=".62"/></radialGradient><linearGradient id="w" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#20262c"/><stop offset="1" stop-color="#2a2c2d"/></linearGradient><linearGradient id="f" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#26282a"/><stop offset="1" stop-color="#141617"/></linearGradient><linearGradient id="d" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#17302d"/><stop offset="1" stop-color="#0f2220"/></linearGradient><pattern id="b" x="120" y="-130" width="58" height="44" patternUnits="userSpaceOnUse"><path d="M0 1h58M0 23h58M1 0v22M30 22v22" fill="none" stroke="#000" stroke-opacity=".15" stroke-width="2"/></pattern></defs><path fill="url(#w)" d="M136-130h368v490H136z"/><path fill="url(#b)" d="M136-130h368v416H136z"/><path fill="url(#f)" d="M136 286h368v74H136z"/><path d="M206 286h228l22 22H184z" fill="#3c3d3e"/><path d="M184 308h272v11H184z" fill="#313233"/><path d="M184 319h272l24 17H160z" fill="#292a2b"/><path d="M232 286V150a88 88 0 0 1 176 0v136z" fill="#4a4a49"/><path d="M246 286V152a74 74 0 0 1 148 0v134z" fill="url(#d)"/><path d="M320 78v208M246 190h148" stroke="#0b211c" stroke-width="3"/><path d="M262 176v-24a58 58 0 0 1 50-57v81zM378 176v-24a58 58 0 0 0-50-57v81z" fill="#18211f"/><path d="M287 104v72M353 104v72M262 142h50M328 142h50" stroke="#123029" stroke-width="3"/><circle cx="336" cy="222" r="4.5" fill="#7a7462"/><path d="M320-58v30M296-58h48" stroke="#15181a" stroke-width="5" stroke-linecap="round"/><path d="M304-10h32l-6 44h-20z" fill="#4b5250"/><path d="M300-12l20-18 20 18zM308 34h24l-4 8h-16z" fill="#15181a"/><path d="M156 300l5-40h34l5 40zM440 300l5-40h34l5 40z" fill="#42352d"/><path d="M178 209a27 27 0 0 1 23 41 16 16 0 1 1-46 0 27 27 0 0 1 23-41zM462 209a27 27 0 0 1 23 41 16 16 0 1 1-46 0 27 27 0 0 1 23-41z" fill="#182320"/><path fill="url(#v)" d="M136-130h368v490H136z"/></svg>`;

/** Its own arch, as in the header. */
export const mark = `<svg viewBox="0 0 24 28" aria-hidden="true"><path d="M1 27V12a11 11 0 0 1 22 0v15z" fill="var(--accent-fill)"/><path d="M6.5 27V12.5a5.5 5.5 0 0 1 11 0V27z" fill="var(--bg)"/><circle cx="12" cy="17" r="2.3" fill="#f2b552"/></svg>`;

/** The font of the UI, below the site's path prefix. */
export const fontPath = '/postern/assets/figtree.woff2';

/**
 * Loads the font, whose address depends on the site's path prefix. Copies the decision's id; without the script there is no button, and
 * pages over http can only copy by the selection. The page loads again when access opens, or once the recorder answers: a timer runs for a
 * minute at most, since a computer may sleep meanwhile.
 */
export const script = `const m=document.querySelector('main').dataset;new FontFace('Figtree','url("'+new URL(m.font,location.href).href+'")',{weight:'300 900'}).load().then(f=>document.fonts.add(f),()=>{});const b=document.querySelector('button[data-copied]');if(b){b.hidden=false;b.onclick=async()=>{const c=document.querySelector('code');try{await navigator.clipboard.writeText(c.textContent)}catch{getSelection().selectAllChildren(c);document.execCommand('copy')}b.nextElementSibling.textContent=b.dataset.copied}}if(m.opensIn){const o=Date.now()+ +m.opensIn,w=()=>{const l=o-Date.now();if(l>0)setTimeout(w,Math.min(l,6e4));else location.reload()};w()}if('waits'in m)setInterval(()=>{if(!document.hidden)fetch(location.href,{method:'HEAD',cache:'no-store',redirect:'manual'}).then(r=>{if(r.status<500)location.reload()},()=>{})},1e4)`;

/**
 * Asks for a camera at the first press, and opens the page that tells how it went; without the script, that page asks. A camera that the
 * user has asked for is not asked for again.
 */
export const askingScript = `const a=document.querySelector('a[data-asked]'),{requests:u,camera,asked}=a.dataset,f=(u,o)=>fetch(u,o).then(r=>r.ok?r.json():[]).catch(()=>[]);a.onclick=async e=>{e.preventDefault();a.onclick=e=>e.preventDefault();await f(u,{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({camera})});a.onclick=null;location=a.href};f(u+'/own').then(l=>{if(l.some(r=>r.camera===camera)){a.textContent=asked;a.onclick=null}})`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of these pages, without directives that only work in a header (`frame-ancestors`). */
export const stylePolicy = `default-src 'none'; base-uri 'none'; font-src 'self'; style-src ${hashOf(style)}`;
export const scriptPolicy = `script-src ${hashOf(script)}`;
export const askingScriptPolicy = `${scriptPolicy} ${hashOf(askingScript)}`;
