use may_minihttp::{HttpServer, HttpService, Request, Response};
use std::io;

#[derive(Clone)]
struct HelloWorld;

impl HttpService for HelloWorld {
    fn call(&mut self, req: Request, res: &mut Response) -> io::Result<()> {
        match req.path() {
            "/plaintext" => {
                res.header("Content-Type: text/plain").body("Hello, World!");
            }
            _ => {
                res.status_code(404, "Not Found");
            }
        }
        Ok(())
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    may::config().set_workers(args[2].parse().expect("a number"));
    let server = HttpServer(HelloWorld).start(&args[1]).unwrap();
    server.join().unwrap();
}
