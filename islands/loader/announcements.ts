/** A change before this delay is not announced, because the screen reader is then only beginning to read the page. */
const ANNOUNCEMENT_DELAY_MS = 1000;

// After a submit, the focus may be on a field while messages stand elsewhere. Screen readers announce only what changes
// once the page is loaded, so the content of these messages is appended again.
setTimeout(() => {
  for (const message of document.querySelectorAll(
    'main :is([role=status], [role=alert]):not(:focus, :has(:focus), is-land *)',
  ))
    message.append(...message.childNodes);
}, ANNOUNCEMENT_DELAY_MS);

export {};
