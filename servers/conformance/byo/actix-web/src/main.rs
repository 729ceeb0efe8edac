use actix_web::{get, App, HttpResponse, HttpServer, Responder};

#[get("/plaintext")]
async fn plaintext() -> impl Responder {
    HttpResponse::Ok().body("Hello, World!")
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let (address, port) = (args[1].as_str(), args[2].parse().expect("a port"));
    HttpServer::new(|| App::new().service(plaintext))
        .workers(args[3].parse().expect("a number"))
        .bind((address, port))?
        .run()
        .await
}
