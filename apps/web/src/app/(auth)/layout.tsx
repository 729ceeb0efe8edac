import type { ReactNode } from "react";
import { Header, Main } from "@/components/shell/header";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Header />
      <Main narrow>{children}</Main>
    </>
  );
}
