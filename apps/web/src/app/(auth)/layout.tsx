import type { ReactNode } from "react";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Header />
      <Main narrow>{children}</Main>
    </>
  );
}
