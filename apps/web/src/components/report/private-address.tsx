export const PrivateAddress = () => (
  <p className="note" data-tone="warn">
    This link is made of a private address, so people elsewhere cannot open it. Set <code>PUBLIC_URL</code> to
    an address that they can reach, and the link changes with it.
  </p>
);
