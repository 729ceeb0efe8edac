"use client";

import { SignUpForm } from "./sign-up-form";

export function OpenSignUp({ next }: { next: string }) {
  return (
    <SignUpForm
      next={next}
      then={async () => {
        window.location.assign(next);
        return null;
      }}
    />
  );
}
