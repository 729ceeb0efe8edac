import type { ReactNode } from "react";

export const Main = ({ children, narrow = false }: { children: ReactNode; narrow?: boolean }) => (
  <main
    id="main"
    tabIndex={-1}
    className={`mx-auto px-4 py-6 outline-none sm:px-6 ${narrow ? "max-w-[30rem]" : "max-w-[76rem]"}`}
  >
    {children}
  </main>
);
