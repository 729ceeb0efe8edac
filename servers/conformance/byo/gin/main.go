package main

import (
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
)

func main() {
	r := gin.New()
	r.GET("/plaintext", func(c *gin.Context) {
		c.String(http.StatusOK, "Hello, World!")
	})
	r.POST("/json-sum", func(c *gin.Context) {
		var numbers []int64
		if c.BindJSON(&numbers) != nil {
			return
		}
		var sum int64
		for _, n := range numbers {
			sum += n
		}
		c.String(http.StatusOK, "sum = %d", sum)
	})
	r.Run(os.Args[1])
}
